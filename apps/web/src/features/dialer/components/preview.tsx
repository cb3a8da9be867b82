import { useQuery } from "@tanstack/react-query";
import { cn } from "../../../lib/cn.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { LastAttempt } from "../../telephony/call/last-attempt.tsx";
import { groupLabel } from "../label-group.ts";
import { dialerMessages } from "../messages.ts";
import { type DialerList, previewQuery } from "../queries.ts";
import { previewMessages, skipCountMessages } from "../setup-messages.ts";
import { LeadGroups } from "./lead-groups.tsx";

/** What Start would do: how many leads, how many of them now, who is first, and why others are not called. */
export function Preview({ list }: { list: DialerList }) {
  const t = useMessages(previewMessages);
  const dialer = useMessages(dialerMessages);
  const counted = useMessages(skipCountMessages);
  const { data, isError, isPlaceholderData, isFetching, refetch } = useQuery(previewQuery(list));
  const first = data?.nowLeads[0];
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
          {first ? (
            <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
              {t("first", { name: first.name })}
              <LastAttempt lead={first} className="text-muted-foreground text-xs" />
            </p>
          ) : null}
          <LeadGroups
            groups={[
              ...(data.now > 0
                ? [
                    {
                      key: "now",
                      label: t("now", { count: data.now }),
                      count: data.now,
                      leads: data.nowLeads,
                      isGood: true,
                    },
                  ]
                : []),
              ...data.groups.map((group) => ({
                key: group.reason,
                label: groupLabel(group, t, counted),
                count: group.count,
                leads: group.leads,
              })),
            ]}
          />
        </>
      ) : isError ? (
        <p className="flex flex-wrap items-center gap-x-3 text-muted-foreground text-sm">
          {t("failed")}
          <Button variant="link" size="inline" onClick={() => void refetch()}>
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
