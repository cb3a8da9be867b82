import { FeatureCards } from "./feature-cards.tsx";
import { GhlCard } from "./ghl-card.tsx";
import { OutboxCard } from "./outbox-card.tsx";
import { QuickStart } from "./quick-start.tsx";
import { SyncRuns } from "./sync-runs.tsx";

/** Overview (specification §2): GHL, what was synced and what is on its way, the other ways in, and how to begin. */
export function OverviewTab() {
  return (
    <>
      <GhlCard />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <SyncRuns />
        <OutboxCard />
      </div>
      <FeatureCards />
      <QuickStart />
    </>
  );
}
