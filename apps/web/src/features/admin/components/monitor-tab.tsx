import { useQuery } from "@tanstack/react-query";
import { Phone, SearchX, TrendingUp, UserCheck, Users } from "lucide-react";
import { useMemo } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { useSearchText } from "../../../lib/use-search-text.ts";
import { Input } from "../../../ui/input.tsx";
import { EmptyState, Skeleton } from "../../../ui/list-states.tsx";
import { StatCard, StatCards } from "../../../ui/stat-card.tsx";
import { formatCount, formatRate } from "../format-spanish.ts";
import { monitorMessages } from "../messages.ts";
import { systemStatsQuery, useLiveStates, userStatsQuery } from "../queries.ts";
import { type PartProps, ReadPart } from "./read-part.tsx";
import { MetricTip, UsersList } from "./users-list.tsx";

const skeleton = (
  <div className="grid grid-cols-2 gap-2 sm:gap-4 lg:grid-cols-4">
    {["a", "b", "c", "d"].map((key) => (
      <Skeleton key={key} className="h-26 rounded-xl" />
    ))}
  </div>
);

/** Figures of the whole system. */
function SystemCards() {
  const t = useMessages(monitorMessages);
  const found = useQuery(systemStatsQuery());
  return (
    <ReadPart found={found} skeleton={skeleton}>
      {(stats) => (
        <StatCards>
          <StatCard
            icon={Users}
            label={t("totalUsers")}
            value={formatCount(stats.totalUsers)}
            note={
              <>
                {t("activeNow", { count: stats.activeUsers, n: formatCount(stats.activeUsers) })}{" "}
                <MetricTip figure={t("online")}>{t("how_active")}</MetricTip>
              </>
            }
          />
          <StatCard
            icon={UserCheck}
            label={t("processed")}
            value={formatCount(stats.leadsProcessedToday)}
            note={
              <>
                {t("ofTotal", { n: formatCount(stats.totalLeads) })}{" "}
                <MetricTip figure={t("processed")}>{t("how_processed")}</MetricTip>
              </>
            }
          />
          <StatCard
            icon={Phone}
            label={t("calls")}
            value={formatCount(stats.totalCalls)}
            note={
              <>
                {t("callsNote")} <MetricTip figure={t("calls")}>{t("how_calls")}</MetricTip>
              </>
            }
          />
          <StatCard
            icon={TrendingUp}
            label={t("conversionRate")}
            value={
              <>
                {formatRate(stats.conversionRate)}{" "}
                <MetricTip figure={t("conversionRate")}>{t("how_conversionRate")}</MetricTip>
              </>
            }
            note={
              <>
                {t("avgProductivity", { n: formatRate(stats.avgProductivity) })}{" "}
                <MetricTip figure={t("productivity")}>{t("how_productivity")}</MetricTip>
              </>
            }
          />
        </StatCards>
      )}
    </ReadPart>
  );
}

const keys = [
  "how_status",
  "how_active",
  "how_live",
  "how_processed",
  "how_calls",
  "how_conversionRate",
  "how_conversions",
  "how_followUps",
  "how_productivity",
] as const;

/** Definitions of the panel's figures. */
function Definitions() {
  const t = useMessages(monitorMessages);
  return (
    <details className="rounded-lg border bg-surface px-4 py-2 text-sm">
      <summary className="cursor-pointer py-2 font-medium pointer-coarse:py-3">{t("howTitle")}</summary>
      <ul className="grid list-disc gap-1.5 pt-1 pb-2 pl-5 text-muted-foreground">
        {keys.map((key) => (
          <li key={key}>{t(key)}</li>
        ))}
      </ul>
    </details>
  );
}

const byName = new Intl.Collator("es", { sensitivity: "base", numeric: true });
/** Text without accents, for the search. */
const folded = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** System figures and all users, sorted by name so that rows do not move. */
export function MonitorTab({ search, onChange }: PartProps) {
  const t = useMessages(monitorMessages);
  const found = useQuery(userStatsQuery());
  const live = useLiveStates();
  const [typed, setTyped] = useSearchText(search.q ?? "", (text) => onChange({ q: text || undefined }));
  const users = useMemo(
    () =>
      (found.data ?? [])
        .filter(({ name, email }) => folded(`${name} ${email}`).includes(folded(typed.trim())))
        .sort((a, b) => byName.compare(a.name, b.name) || a.id - b.id),
    [found.data, typed],
  );
  const liveOf = useMemo(() => new Map(live.data?.map((of) => [of.userId, of])), [live.data]);
  return (
    <>
      <SystemCards />
      <section aria-label={t("users")} className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <h2 className="font-semibold text-base">{t("users")}</h2>
          <Input
            type="search"
            aria-label={t("search")}
            placeholder={t("searchPlaceholder")}
            maxLength={100}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            className="sm:max-w-64"
          />
        </div>
        <ReadPart found={found} skeleton={<Skeleton className="h-96 rounded-lg" />}>
          {() =>
            users.length > 0 ? (
              <UsersList users={users} liveOf={liveOf} />
            ) : (
              <EmptyState icon={SearchX} title={t("noUsers")} />
            )
          }
        </ReadPart>
      </section>
      <Definitions />
    </>
  );
}
