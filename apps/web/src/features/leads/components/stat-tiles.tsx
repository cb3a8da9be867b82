import { useQuery } from "@tanstack/react-query";
import { CalendarClock, ChevronRight, PhoneOutgoing, Users } from "lucide-react";
import { Suspense, useRef, useState } from "react";
import { preloadCode } from "../../../lib/connection.ts";
import { formatNumber } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { leadsMessages } from "../messages.ts";
import { dashboardStatsQuery } from "../queries.ts";

const loadFollowUps = () => import("./follow-ups-dialog.tsx");
const FollowUpsDialog = lateComponent(loadFollowUps);

/** The three figures above the leads; the one of the follow-ups opens them. */
export function StatTiles() {
  const t = useMessages(leadsMessages);
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const { data, isError } = useQuery(dashboardStatsQuery());
  const tiles = [
    {
      key: "total",
      label: t("totalLeads"),
      value: data?.totalLeads,
      icon: Users,
      className: "bg-primary-soft text-primary-text",
    },
    {
      key: "contacted",
      label: t("contactedToday"),
      value: data?.contactedToday,
      icon: PhoneOutgoing,
      className: "bg-success-soft text-success-text",
    },
    {
      key: "follow-ups",
      label: (
        <button
          ref={opener}
          type="button"
          aria-haspopup="dialog"
          className="rounded-xl text-left after:absolute after:inset-0 after:rounded-xl"
          onPointerEnter={() => preloadCode(loadFollowUps)}
          onFocus={() => preloadCode(loadFollowUps)}
          onClick={() => setOpen(true)}
        >
          {t("followUpDates")}
          <ChevronRight aria-hidden className="ml-0.5 inline size-3.5 align-[-0.15em]" />
        </button>
      ),
      value: data?.pendingFollowUp,
      icon: CalendarClock,
      className: "bg-warning-soft text-warning-text",
    },
  ];
  return (
    <>
      <dl className="grid grid-cols-3 gap-2 sm:gap-4" aria-busy={!data && !isError}>
        {tiles.map(({ key, label, value, icon: Icon, className }) => (
          <div
            key={key}
            className="relative flex min-w-0 flex-col-reverse justify-between gap-1 rounded-xl border bg-surface p-3 shadow-card has-[button:hover]:border-primary/50 sm:p-4"
          >
            <dt className="text-muted-foreground text-xs leading-4 sm:text-sm sm:leading-5">{label}</dt>
            <dd className="flex min-h-8 items-center justify-between font-semibold text-xl tabular-nums leading-8 sm:text-2xl">
              {value === undefined ? (
                isError ? (
                  <span title={t("statsFailed")}>
                    <span aria-hidden>–</span>
                    <span className="sr-only">{t("statsFailed")}</span>
                  </span>
                ) : (
                  <Skeleton className="h-6 w-12" />
                )
              ) : (
                formatNumber(value)
              )}
              <span className={`hidden size-8 place-items-center rounded-lg sm:grid ${className}`}>
                <Icon aria-hidden className="size-4" />
              </span>
            </dd>
          </div>
        ))}
      </dl>
      {isOpen ? (
        <Suspense fallback={null}>
          <FollowUpsDialog onClose={() => setOpen(false)} returnFocusTo={opener} />
        </Suspense>
      ) : null}
    </>
  );
}
