import { lazy, Suspense } from "react";
import { useTexts } from "../../lib/i18n.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { SyncButton } from "../crm-sync/components/sync-button.tsx";
import { crmSyncTexts } from "../crm-sync/texts.ts";
import { useCrmSync } from "../crm-sync/use-crm-sync.ts";
import { InboxButton } from "../sms/components/inbox-button.tsx";
import { SmsDesk } from "../sms/sms-desk.tsx";
import { DialerButton } from "./components/dialer-button.tsx";
import { LeadResults } from "./components/lead-results.tsx";
import { LeadToolbar } from "./components/lead-toolbar.tsx";
import { StatTiles } from "./components/stat-tiles.tsx";
import { WaitingOutcomes } from "./components/waiting-outcomes.tsx";
import { leadsTexts } from "./texts.ts";
import { useLeadFilters } from "./use-lead-filters.ts";

const SyncProgress = lazy(async () => ({
  default: (await import("../crm-sync/components/sync-progress.tsx")).SyncProgress,
}));
const SyncIssues = lazy(async () => ({
  default: (await import("../crm-sync/components/sync-issues.tsx")).SyncIssues,
}));

/** 'My Assigned Leads' (specification §2): the consultant's leads, what is due, and the call. */
export function LeadsPage() {
  const t = useTexts(leadsTexts);
  const syncText = useTexts(crmSyncTexts);
  const { filters, change } = useLeadFilters();
  const sync = useCrmSync("leads");
  const onSync = () => void sync.start();
  return (
    <>
      <div className="grid gap-5">
        <PageHeader
          title={t("title")}
          subtitle={t("subtitle")}
          actions={
            <>
              <Suspense fallback={null}>
                <SyncProgress />
              </Suspense>
              <InboxButton />
              <DialerButton />
              <SyncButton label={syncText("syncLeads")} phase={sync.state.phase} onSync={onSync} />
            </>
          }
        />
        <StatTiles />
        {sync.state.issues.length > 0 ? (
          <Suspense fallback={null}>
            <SyncIssues issues={sync.state.issues} onDismiss={sync.readIssues} />
          </Suspense>
        ) : null}
        <WaitingOutcomes />
        <LeadToolbar filters={filters} onChange={change} />
        <LeadResults filters={filters} syncPhase={sync.state.phase} onSync={onSync} />
      </div>
      <SmsDesk />
    </>
  );
}
