import type { SystemLead } from "@portal/contract/routes/all-leads";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTexts } from "../../lib/i18n.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { SyncButton } from "../crm-sync/components/sync-button.tsx";
import { SyncIssues } from "../crm-sync/components/sync-issues.tsx";
import { SyncProgress } from "../crm-sync/components/sync-progress.tsx";
import { useCrmSync } from "../crm-sync/use-crm-sync.ts";
import type { AllLeadsSearch, LeadSort } from "./all-leads-search.ts";
import { AllLeadsResults } from "./components/all-leads-results.tsx";
import { AllLeadsToolbar } from "./components/all-leads-toolbar.tsx";
import { FigureCards } from "./components/figure-cards.tsx";
import { RecentActivity } from "./components/recent-activity.tsx";
import { ReportChips } from "./components/report-chips.tsx";
import { reloadLeads, showLead } from "./queries.ts";
import { allLeadsTexts } from "./texts.ts";

const LeadDetailsDialog = lazy(() => import("../leads/components/lead-details-dialog.tsx"));

/** All Leads (specification §2): every lead of the system, to be found, assigned and exported. */
export function AllLeadsPage() {
  const t = useTexts(allLeadsTexts);
  const client = useQueryClient();
  const filters: AllLeadsSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const sync = useCrmSync("leads");
  const { phase, issues } = sync.state;
  const [lead, setLead] = useState<SystemLead | null>(null);
  const opener = useRef<HTMLElement | null>(null);
  const onOpen = useCallback((of: SystemLead) => {
    opener.current = document.activeElement as HTMLElement | null;
    setLead(of);
  }, []);
  // Typing replaces the address, picking adds a step for Back.
  function change(next: AllLeadsSearch, { replace = false }: { replace?: boolean } = {}): void {
    void navigate({ to: ".", search: next, replace, resetScroll: false });
  }
  const onSort = (sort: LeadSort) => change({ ...filters, sort: sort === "newest" ? undefined : sort });

  // Whoever synced wants to see what came.
  const onSynced = useEffectEvent(() => void reloadLeads(client));
  const wasSyncing = useRef(false);
  useEffect(() => {
    if (wasSyncing.current && phase !== "syncing-leads") onSynced();
    wasSyncing.current = phase === "syncing-leads";
  }, [phase]);

  const syncButton = (
    <SyncButton label={t("sync")} variant="primary" phase={phase} onSync={() => void sync.start()} />
  );
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <PageHeader
          title={t("title")}
          subtitle={t("subtitle")}
          actions={
            <>
              <SyncProgress />
              {syncButton}
            </>
          }
        />
        <FigureCards />
        <SyncIssues issues={issues} onDismiss={sync.readIssues} />
        <RecentActivity onOpen={onOpen} />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <AllLeadsToolbar filters={filters} onChange={change} />
          <ReportChips filters={filters} onChange={change} />
        </div>
        <AllLeadsResults filters={filters} onSort={onSort} onOpen={onOpen} syncButton={syncButton} />
      </div>
      {lead ? (
        <Suspense fallback={null}>
          <LeadDetailsDialog
            lead={lead}
            onLoaded={(loaded) => showLead(client, loaded)}
            onClose={() => setLead(null)}
            returnFocusTo={opener}
          />
        </Suspense>
      ) : null}
    </>
  );
}
