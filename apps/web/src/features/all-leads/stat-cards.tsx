import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Trophy, UserRoundCheck, UserRoundX, Users } from "lucide-react";
import { formatNumber } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StatStrip } from "../../ui/stat-strip.tsx";
import { type AllLeadsSearch, allLeadsQuery } from "./all-leads-search.ts";
import { allLeadsMessages } from "./messages.ts";
import { allLeadsStatsQuery } from "./queries.ts";

/** The four figures of the whole system, each with the filters of its leads. */
function useFigures() {
  const t = useMessages(allLeadsMessages);
  const { data, isError } = useQuery(allLeadsStatsQuery());
  const figures: readonly Figure[] = [
    {
      label: t("totalLeads"),
      value: data?.total,
      icon: Users,
      look: "bg-primary-soft text-primary-text",
      opens: {},
    },
    {
      label: t("assignedLeads"),
      value: data?.assigned,
      icon: UserRoundCheck,
      look: "bg-info-soft text-info-text",
      opens: { assignment: "assigned" },
    },
    {
      label: t("unassignedLeads"),
      value: data?.unassigned,
      icon: UserRoundX,
      look: "bg-warning-soft text-warning-text",
      opens: { assignment: "unassigned" },
    },
    {
      label: t("convertedLeads"),
      value: data?.converted,
      icon: Trophy,
      look: "bg-success-soft text-success-text",
      opens: { status: "converted" },
    },
  ];
  return { figures, isLoading: !data && !isError, isError };
}

interface Figure {
  label: string;
  value: number | undefined;
  icon: typeof Users;
  look: string;
  opens: AllLeadsSearch;
}

/** The figures as tiles; each shows its leads below. */
export function StatCards() {
  const t = useMessages(allLeadsMessages);
  const { figures, isLoading, isError } = useFigures();
  return (
    <dl className="grid grid-cols-2 gap-2 sm:gap-4 lg:grid-cols-4" aria-busy={isLoading}>
      {figures.map(({ label, value, icon: Icon, look, opens }) => (
        <div
          key={label}
          className="relative flex min-w-0 flex-col-reverse gap-1 rounded-xl border bg-surface p-3 shadow-card has-[a:hover]:border-primary/50 sm:p-4"
        >
          <dt className="text-muted-foreground text-xs sm:text-sm">
            <Link
              to="/all-leads"
              search={opens}
              resetScroll={false}
              className="rounded-xl after:absolute after:inset-0 after:rounded-xl"
            >
              {label}
            </Link>
          </dt>
          <dd className="flex items-center justify-between font-semibold text-xl tabular-nums leading-8 sm:text-2xl">
            {value !== undefined ? formatNumber(value) : null}
            {isLoading ? <Skeleton className="h-6 w-12" /> : null}
            {value === undefined && isError ? (
              <span title={t("statsFailed")}>
                <span aria-hidden>–</span>
                <span className="sr-only">{t("statsFailed")}</span>
              </span>
            ) : null}
            <span className={`hidden size-8 place-items-center rounded-lg sm:grid ${look}`}>
              <Icon aria-hidden className="size-4" />
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface LeadStripProps {
  filters: AllLeadsSearch;
  onChange: (filters: AllLeadsSearch) => void;
}

/** The figures in one line, over rows of one line: each shows its leads, pressed once more all of them. */
export function LeadStrip({ filters, onChange }: LeadStripProps) {
  const t = useMessages(allLeadsMessages);
  const { figures } = useFigures();
  const { sort, columns, ...query } = filters;
  const now = JSON.stringify(allLeadsQuery(query));
  return (
    <StatStrip
      label={t("figures")}
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
