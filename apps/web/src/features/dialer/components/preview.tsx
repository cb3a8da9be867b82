import type { DialerPreview } from "@portal/contract/entities/dialer";
import { useQuery } from "@tanstack/react-query";
import { cn } from "../../../lib/cn.ts";
import { currentLanguage, type Translate, useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Skeleton } from "../../../ui/list-states.tsx";
import { LastAttempt } from "../../telephony/call/last-attempt.tsx";
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

type Group = DialerPreview["groups"][number];

type Say = Translate<(typeof previewMessages)["pairs"]>;

type SayCount = Translate<(typeof skipCountMessages)["pairs"]>;

const locales = { en: "en-US", es: "es-US" } as const;

/**
 * '6 later (from 4:00 PM Pacific Time)' or '3 opted out': a group of the preview, with the time from which its first lead may be called.
 */
export function groupLabel(
  group: Pick<Group, "reason" | "count" | "allowedAt" | "timeZone">,
  t: Say,
  counted: SayCount,
  now: number = Date.now(),
): string {
  const label = counted(group.reason, { count: group.count });
  if (group.allowedAt === null) return label;
  return `${label} (${allowedFrom(group.allowedAt, group.timeZone, t, now)})`;
}

/** 'from 4:00 PM Pacific Time' in that zone; with the day if it is not today there. */
function allowedFrom(allowedAt: string, timeZone: string | null, t: Say, now: number): string {
  const locale = locales[currentLanguage()];
  const zone = timeZone ? { timeZone } : {};
  const at = new Date(allowedAt);
  const clock = new Intl.DateTimeFormat(locale, { ...zone, hour: "numeric", minute: "2-digit" }).format(at);
  const time = timeZone ? t("zoned", { time: clock, zone: zoneName(at, timeZone, locale) }) : clock;
  const dayOf = (instant: Date) => new Intl.DateTimeFormat("en-CA", zone).format(instant);
  if (dayOf(at) === dayOf(new Date(now))) return t("from", { time });
  const day = new Intl.DateTimeFormat(locale, { ...zone, weekday: "short", month: "short", day: "numeric" });
  return t("fromDay", { day: day.format(at), time });
}

function zoneName(at: Date, timeZone: string, locale: string): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: "longGeneric" }).formatToParts(at);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? timeZone;
}
