import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { CopyCheck } from "lucide-react";
import { useEffect, useEffectEvent, useRef } from "react";
import { RelativeTime } from "../../lib/clock.tsx";
import { cn } from "../../lib/cn.ts";
import { formatDay } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { leadLabelMessages } from "../../lib/lead-label-messages.ts";
import { withOpenLead } from "../../lib/lead-panel.ts";
import { useListSetting } from "../../lib/list-address.ts";
import { salesRepsQuery } from "../../lib/shared-queries.ts";
import { StatusBadge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { FilterChips } from "../../ui/chip.tsx";
import { listPageClasses, PageHeader } from "../../ui/page-header.tsx";
import { RecentList } from "../../ui/recent-list.tsx";
import { SyncButton } from "../crm/components/sync-button.tsx";
import { SyncIssues, SyncProgress } from "../crm/components/sync-progress.tsx";
import { useCrmSync } from "../crm/queries.ts";
import { AllLeadsResults } from "./all-leads-results.tsx";
import { type AllLeadsSearch, type LeadSort, offeredStatuses } from "./all-leads-search.ts";
import { AllLeadsToolbar } from "./all-leads-toolbar.tsx";
import { allLeadsMessages } from "./messages.ts";
import { recentLeadsQuery, reloadLeads } from "./queries.ts";
import { LeadStrip, LeadTiles } from "./stat-cards.tsx";

/** All Leads: every lead of the system, to be found, assigned and exported. */
export function AllLeadsPage() {
  const t = useMessages(allLeadsMessages);
  const client = useQueryClient();
  const filters: AllLeadsSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const sync = useCrmSync("leads");
  const { phase, issues } = sync.state;
  const isList = useListSetting("all-leads").layout === "rows";
  // Typing replaces the history entry, choosing a filter adds one.
  function change(next: AllLeadsSearch, { replace = false }: { replace?: boolean } = {}): void {
    void navigate({ to: ".", search: withOpenLead(next), replace, resetScroll: false });
  }
  const onSort = (sort: LeadSort) => change({ ...filters, sort: sort === "newest" ? undefined : sort });

  // Shows new leads at once after a sync started on this page.
  const onSynced = useEffectEvent(() => void reloadLeads(client));
  const wasSyncing = useRef(false);
  useEffect(() => {
    if (wasSyncing.current && phase !== "syncing-leads") onSynced();
    wasSyncing.current = phase === "syncing-leads";
  }, [phase]);

  const syncButton = <SyncButton label={t("sync")} phase={phase} onSync={() => void sync.start()} />;
  return (
    <div className={isList ? listPageClasses : "grid grid-cols-[minmax(0,1fr)] gap-5"}>
      <PageHeader
        isSlim={isList}
        title={t("title")}
        subtitle={t("subtitle")}
        actions={
          <>
            <SyncProgress />
            <Button asChild variant="secondary" className="max-sm:min-w-11">
              <Link to="/duplicates" title={t("duplicates")}>
                <CopyCheck aria-hidden />
                {/* Only the icon on phones, where both buttons are in one row. */}
                <span className="max-sm:sr-only">{t("duplicates")}</span>
              </Link>
            </Button>
            {syncButton}
          </>
        }
      >
        {isList ? <LeadStrip filters={filters} onChange={change} /> : null}
      </PageHeader>
      {isList ? null : <LeadTiles />}
      <SyncIssues issues={issues} onDismiss={sync.readIssues} />
      {isList ? null : <RecentActivity />}
      <div className={cn("grid grid-cols-[minmax(0,1fr)] gap-3", isList && "gap-1.5")}>
        <AllLeadsToolbar filters={filters} isList={isList} onChange={change} />
        <ReportChips filters={filters} onChange={change} />
      </div>
      <AllLeadsResults filters={filters} isList={isList} onSort={onSort} syncButton={syncButton} />
    </div>
  );
}

/** The five newest leads. */
function RecentActivity() {
  const t = useMessages(allLeadsMessages);
  const { data, isError } = useQuery(recentLeadsQuery());
  return (
    <RecentList
      title={t("recentActivity")}
      failure={isError ? t("recentFailed") : null}
      empty={t("recentEmpty")}
      items={data?.map((lead) => ({
        key: lead.id,
        name: lead.name,
        note: (
          <>
            <RelativeTime at={lead.createdAt} /> · {lead.salesRepName ?? t("unassigned")}
          </>
        ),
        badge: <StatusBadge status={lead.status} />,
        leadId: lead.id,
      }))}
    />
  );
}

interface ReportChipsProps {
  filters: AllLeadsSearch;
  onChange: (filters: AllLeadsSearch) => void;
}

/** Removable chips for the filters that reports set. */
function ReportChips({ filters, onChange }: ReportChipsProps) {
  const t = useMessages(allLeadsMessages);
  const label = useMessages(leadLabelMessages);
  const { status, rep, source, sources, created, converted, called, calledIn, firstCall } = filters;
  const { convertedOn, convertedUntil } = filters;
  const { data: reps } = useQuery({ ...salesRepsQuery(), enabled: rep !== undefined });
  const name = reps?.find(({ id }) => id === rep)?.name;
  const isOffered = offeredStatuses.some((offered) => offered === status);
  const words: readonly (readonly [keyof AllLeadsSearch, string | false | undefined])[] = [
    ["status", status && !isOffered && t("chipStatus", { status: label(status) })],
    ["rep", rep !== undefined && (name ? t("chipRep", { name }) : t("chipRepNumber", { id: String(rep) }))],
    ["source", source && t("chipSource", { source })],
    ["sources", sources && t(sources === "none" ? "chipNoSource" : "chipOtherSources")],
    ["created", created && t(`chipCreated_${created}`)],
    ["converted", converted && t(`chipConverted_${converted}`)],
    [
      "convertedOn",
      convertedOn &&
        (convertedUntil
          ? t("chipConvertedDays", { day: formatDay(convertedOn), until: formatDay(convertedUntil) })
          : t("chipConvertedOn", { day: formatDay(convertedOn) })),
    ],
    ["firstCall", firstCall && t(`chipFirstCall_${firstCall}`)],
    [
      "called",
      called &&
        (calledIn ? t(`chipIn_${called}`, { when: t(`when_${calledIn}`) }) : t(`chipCalled_${called}`)),
    ],
  ];
  return (
    <FilterChips
      label={t("chips")}
      chips={words.flatMap(([key, text]) =>
        text
          ? [
              {
                key,
                label: text,
                onRemove: () =>
                  onChange({
                    ...filters,
                    [key]: undefined,
                    ...(key === "called" && { calledIn: undefined }),
                    ...(key === "convertedOn" && { convertedUntil: undefined }),
                  }),
              },
            ]
          : [],
      )}
    />
  );
}
