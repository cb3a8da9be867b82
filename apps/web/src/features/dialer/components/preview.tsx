import type { DialerSource } from "@portal/contract/entities/dialer";
import { useQuery } from "@tanstack/react-query";
import { cn } from "../../../lib/cn.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { groupWords } from "../preview-words.ts";
import { previewQuery } from "../queries.ts";
import { previewTexts, skipCountTexts } from "../setup-texts.ts";
import { dialerTexts } from "../texts.ts";
import { LeadGroups } from "./lead-groups.tsx";

interface PreviewProps {
  source: DialerSource;
  order: "createdAt" | "smart";
}

/** What Start would do: how many leads, how many now, and why not the others. */
export function Preview({ source, order }: PreviewProps) {
  const t = useTexts(previewTexts);
  const dialer = useTexts(dialerTexts);
  const counted = useTexts(skipCountTexts);
  const { data, isError, isPlaceholderData, isFetching, refetch } = useQuery(previewQuery(source, order));
  return (
    <section
      aria-label={t("label")}
      aria-busy={isFetching}
      className={cn(
        "grid min-h-20 shrink-0 content-start gap-2 rounded-xl bg-muted/60 p-4 transition-opacity",
        isPlaceholderData && "opacity-60",
      )}
    >
      {data ? (
        <>
          <p role="status" className="font-medium">
            {data.total === 0 ? dialer("noLeadsText") : t("total", { count: data.total })}
          </p>
          <LeadGroups
            groups={[
              ...(data.now > 0
                ? [
                    {
                      key: "now",
                      words: t("now", { count: data.now }),
                      count: data.now,
                      leads: data.nowLeads,
                      isGood: true,
                    },
                  ]
                : []),
              ...data.groups.map((group) => ({
                key: group.reason,
                words: groupWords(group, t, counted),
                count: group.count,
                leads: group.leads,
              })),
            ]}
          />
        </>
      ) : isError ? (
        <p className="flex flex-wrap items-center gap-x-3 text-muted-foreground text-sm">
          {t("failed")}
          <Button variant="link" size="sm" className="px-0" onClick={() => void refetch()}>
            {t("retry")}
          </Button>
        </p>
      ) : (
        <>
          <p role="status" className="text-muted-foreground text-sm">
            {t("loading")}
          </p>
          <Skeleton className="h-8 w-3/5" />
        </>
      )}
    </section>
  );
}
