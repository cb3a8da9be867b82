import { useQuery } from "@tanstack/react-query";
import { CalendarClock, ChevronRight, PhoneOutgoing, Users } from "lucide-react";
import { Suspense, useRef, useState } from "react";
import { preloadCode } from "../../../lib/connection.ts";
import { formatNumber } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { StatCard, StatCards, statPressClasses } from "../../../ui/stat-card.tsx";
import { leadsMessages } from "../messages.ts";
import { dashboardStatsQuery } from "../queries.ts";

const loadFollowUps = () => import("./follow-ups-dialog.tsx");
const FollowUpsDialog = lateComponent(loadFollowUps);

/** The three figures above the leads; the one for follow-ups opens their dialog. */
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
    },
    {
      key: "contacted",
      label: t("contactedToday"),
      value: data?.contactedToday,
      icon: PhoneOutgoing,
    },
    {
      key: "follow-ups",
      label: (
        <button
          ref={opener}
          type="button"
          aria-haspopup="dialog"
          className={statPressClasses}
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
    },
  ];
  return (
    <>
      <StatCards columns="row" isLoading={!data && !isError}>
        {tiles.map(({ key, label, value, icon }) => (
          <StatCard
            key={key}
            label={label}
            value={value === undefined ? undefined : formatNumber(value)}
            icon={icon}
            failure={isError && t("statsFailed")}
          />
        ))}
      </StatCards>
      {isOpen ? (
        <Suspense fallback={null}>
          <FollowUpsDialog onClose={() => setOpen(false)} returnFocusTo={opener} />
        </Suspense>
      ) : null}
    </>
  );
}
