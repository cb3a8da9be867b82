import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { CopyCheck } from "lucide-react";
import { useEffect, useEffectEvent, useRef } from "react";
import { cn } from "../../lib/cn.ts";
import { useMessages } from "../../lib/i18n.ts";
import { withOpenLead } from "../../lib/lead-panel.ts";
import { useListSetting } from "../../lib/list-settings.ts";
import { RelativeTime } from "../../lib/relative-time.tsx";
import { Button } from "../../ui/button.tsx";
import { StatusBadge } from "../../ui/lead-badges.tsx";
import { listPageClasses, PageHeader } from "../../ui/page-header.tsx";
import { RecentList } from "../../ui/recent-list.tsx";
import { SyncButton } from "../crm/components/sync-button.tsx";
import { SyncIssues, SyncProgress } from "../crm/components/sync-progress.tsx";
import { useCrmSync } from "../crm/queries.ts";
import { AllLeadsResults } from "./all-leads-results.tsx";
import type { AllLeadsSearch, LeadSort } from "./all-leads-search.ts";
import { AllLeadsToolbar } from "./all-leads-toolbar.tsx";
import { allLeadsMessages } from "./messages.ts";
import { recentLeadsQuery, reloadLeads } from "./queries.ts";
import { ReportChips } from "./report-chips.tsx";
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
  // Typing replaces the address, picking adds a step for Back.
  function change(next: AllLeadsSearch, { replace = false }: { replace?: boolean } = {}): void {
    void navigate({ to: ".", search: withOpenLead(next), replace, resetScroll: false });
  }
  const onSort = (sort: LeadSort) => change({ ...filters, sort: sort === "newest" ? undefined : sort });

  // Whoever synced wants to see what came.
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
            <Button asChild variant="secondary">
              <Link to="/duplicates">
                <CopyCheck aria-hidden />
                {t("duplicates")}
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
