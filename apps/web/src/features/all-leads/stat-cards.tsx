import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Trophy, UserRoundCheck, UserRoundX, Users } from "lucide-react";
import { formatNumber } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { StatCard, StatCards, statPressClasses } from "../../ui/stat-card.tsx";
import { StatStrip } from "../../ui/stat-strip.tsx";
import { type AllLeadsSearch, allLeadsQuery } from "./all-leads-search.ts";
import { allLeadsMessages } from "./messages.ts";
import { allLeadsStatsQuery } from "./queries.ts";

/** The four system figures, each with the filters of its leads. */
function useFigures() {
  const t = useMessages(allLeadsMessages);
  const found = useQuery(allLeadsStatsQuery());
  const { data, isError } = found;
  const figures: readonly Figure[] = [
    {
      label: t("totalLeads"),
      value: data?.total,
      icon: Users,
      opens: {},
    },
    {
      label: t("assignedLeads"),
      value: data?.assigned,
      icon: UserRoundCheck,
      opens: { assignment: "assigned" },
    },
    {
      label: t("unassignedLeads"),
      value: data?.unassigned,
      icon: UserRoundX,
      opens: { assignment: "unassigned" },
    },
    {
      label: t("convertedLeads"),
      value: data?.converted,
      icon: Trophy,
      opens: { status: "converted" },
    },
  ];
  const failed = !data && isError && { found, text: t("statsFailed") };
  return { figures, isLoading: !data && !isError, failed };
}

interface Figure {
  label: string;
  value: number | undefined;
  icon: typeof Users;
  opens: AllLeadsSearch;
}

/** The figures as tiles; each filters the list below. */
export function LeadTiles() {
  const { figures, isLoading, failed } = useFigures();
  return (
    <StatCards isLoading={isLoading}>
      {figures.map(({ label, value, icon, opens }) => (
        <StatCard
          key={label}
          label={
            <Link to="/all-leads" search={opens} resetScroll={false} className={statPressClasses}>
              {label}
            </Link>
          }
          value={value === undefined ? undefined : formatNumber(value)}
          icon={icon}
          failure={failed ? failed.text : false}
        />
      ))}
    </StatCards>
  );
}

interface LeadStripProps {
  filters: AllLeadsSearch;
  onChange: (filters: AllLeadsSearch) => void;
}

/** The figures in one line above single-line rows; each filters the list, a second click shows all leads. */
export function LeadStrip({ filters, onChange }: LeadStripProps) {
  const t = useMessages(allLeadsMessages);
  const { figures, failed } = useFigures();
  const { sort, columns, ...query } = filters;
  const now = JSON.stringify(allLeadsQuery(query));
  return (
    <StatStrip
      label={t("figures")}
      failed={failed}
      figures={figures.map(({ label, value, opens }) => {
        const isOn = JSON.stringify(opens) === now;
        return {
          label,
          value: value === undefined ? undefined : formatNumber(value),
          isOn,
          onPress: () => onChange({ ...(!isOn && opens), sort, columns }),
        };
      })}
    />
  );
}
