import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { CalendarClock, ChevronRight, PhoneCall, PhoneOutgoing, Users } from "lucide-react";
import { Suspense, useRef, useState } from "react";
import { preloadCode } from "../../lib/connection.ts";
import { formatNumber } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { lateComponent, useLateModule } from "../../lib/late-module.ts";
import { withOpenLead } from "../../lib/lead-panel.ts";
import { useListSetting } from "../../lib/list-address.ts";
import { currentUserQuery } from "../../lib/query-client.ts";
import { STORAGE_KEYS } from "../../lib/storage-keys.ts";
import { Button } from "../../ui/button.tsx";
import { LatePart } from "../../ui/list-states.tsx";
import { listPageClasses, PageHeader } from "../../ui/page-header.tsx";
import { StatCard, StatCards, statPressClasses } from "../../ui/stat-card.tsx";
import { SyncButton } from "../crm/components/sync-button.tsx";
import { useCrmSync } from "../crm/queries.ts";
import { openDialer } from "../dialer/dialer-store.ts";
import { LeadResults } from "./components/lead-results.tsx";
import { LeadToolbar } from "./components/lead-toolbar.tsx";
import type { LeadFilters } from "./lead-search.ts";
import { leadsMessages } from "./messages.ts";
import { dashboardStatsQuery, needsOutcomeQuery } from "./queries.ts";

const loadNeedsOutcome = () => import("./components/needs-outcome.tsx");

/** Heights of one, two, and more calls without an outcome. */
const outcomeHeights = ["h-54 lg:h-33", "h-93 lg:h-50", "h-104 lg:h-61"];

/** Calls without an outcome, if there are any; the first lead does not wait for them. */
function WaitingOutcomes() {
  const { data = [], isPending } = useQuery(needsOutcomeQuery());
  // Loaded together with the calls, and not only if there are any: the later it arrives, the more it moves on a first visit.
  const NeedsOutcome = useLateModule(loadNeedsOutcome, true)?.default;
  const waiting = data.filter(({ confirmed }) => !confirmed).length;
  const isUnknown = isPending || (waiting > 0 && !NeedsOutcome);
  return (
    <LatePart
      store={STORAGE_KEYS.needsOutcomeHeight}
      count={isUnknown ? undefined : waiting}
      firstHeight={outcomeHeights[Math.min(waiting, outcomeHeights.length) - 1]}
    >
      {NeedsOutcome ? <NeedsOutcome /> : null}
    </LatePart>
  );
}

const StatStrip = lateComponent(() => import("./rows/stat-strip.tsx"));
const LeadRows = lateComponent(() => import("./rows/lead-rows.tsx"));

const InboxButton = lateComponent(() => import("../sms/components/inbox-button.tsx"));
const SyncProgress = lateComponent(async () => ({
  default: (await import("../crm/components/sync-progress.tsx")).SyncProgress,
}));
const SyncIssues = lateComponent(async () => ({
  default: (await import("../crm/components/sync-progress.tsx")).SyncIssues,
}));

/** 'My Assigned Leads': the consultant's leads, or everyone's for administrators. */
export function LeadsPage() {
  const t = useMessages(leadsMessages);
  const { data: viewer } = useQuery(currentUserQuery());
  const isAdmin = viewer?.role === "admin";
  const { filters, change } = useLeadFilters();
  const sync = useCrmSync("leads");
  const onSync = () => void sync.start();
  const isList = useListSetting("leads").layout === "rows";
  const [areLeadsRead, setLeadsRead] = useState(false);
  const [areOutcomesOpen, setOutcomesOpen] = useState(false);
  return (
    <div className={isList ? listPageClasses : "grid gap-5"}>
      <PageHeader
        isSlim={isList}
        title={t(isAdmin ? "titleEveryone" : "title")}
        subtitle={t(isAdmin ? "subtitleEveryone" : "subtitle")}
        actions={
          <>
            {/* Rendered after the leads, which should not wait for rarely shown parts. */}
            {isList || areLeadsRead ? (
              <Suspense fallback={null}>
                <SyncProgress />
                <InboxButton isSlim={isList} />
              </Suspense>
            ) : null}
            <DialerButton />
            <SyncButton label={t("syncLeads")} phase={sync.state.phase} onSync={onSync} />
          </>
        }
      >
        {isList ? (
          <Suspense fallback={<section className="h-8 flex-1 max-sm:basis-full pointer-coarse:h-11" />}>
            <StatStrip
              filters={filters}
              onChange={change}
              areOutcomesOpen={areOutcomesOpen}
              onOutcomes={setOutcomesOpen}
            />
          </Suspense>
        ) : null}
      </PageHeader>
      {isList ? null : <StatTiles />}
      {sync.state.issues.length > 0 ? (
        <Suspense fallback={null}>
          <SyncIssues issues={sync.state.issues} onDismiss={sync.readIssues} />
        </Suspense>
      ) : null}
      {!isList || areOutcomesOpen ? <WaitingOutcomes /> : null}
      <LeadToolbar areLeadsRead={isList || areLeadsRead} filters={filters} onChange={change} />
      {isList ? (
        <Suspense fallback={<div className="h-dvh rounded-xl border bg-surface shadow-card" />}>
          <LeadRows filters={filters} onChange={change} syncPhase={sync.state.phase} onSync={onSync} />
        </Suspense>
      ) : (
        <LeadResults
          onRead={() => setLeadsRead(true)}
          filters={filters}
          syncPhase={sync.state.phase}
          onSync={onSync}
        />
      )}
    </div>
  );
}

/** Opens the Auto-Dialer over the page. */
function DialerButton() {
  const t = useMessages(leadsMessages);
  return (
    <Button aria-haspopup="dialog" onClick={() => openDialer([])}>
      <PhoneCall aria-hidden />
      {t("autoDialer")}
    </Button>
  );
}

/** The filters in the address, and a function to change them. Typing replaces the history entry, choosing a filter adds one. */
function useLeadFilters() {
  const filters: LeadFilters = useSearch({ strict: false });
  const navigate = useNavigate();
  function change(next: LeadFilters, { replace = false }: { replace?: boolean } = {}): void {
    void navigate({ to: ".", search: withOpenLead(next), replace, resetScroll: false });
  }
  return { filters, change };
}

const loadFollowUps = () => import("./components/follow-ups-dialog.tsx");
const FollowUpsDialog = lateComponent(loadFollowUps);

/** The three figures above the leads; the one for follow-ups opens their dialog. */
function StatTiles() {
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
