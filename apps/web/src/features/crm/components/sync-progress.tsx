import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useLiveEvents } from "../../../lib/events.ts";
import { formatNumber } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Button, Spinner } from "../../../ui/button.tsx";
import { syncRunsQuery } from "../queries.ts";
import { syncResultMessages } from "../sync-messages.ts";

interface SyncIssuesProps {
  issues: readonly string[];
  onDismiss: () => void;
}

/** Contacts that the last sync could not ingest; the toast only counts them. */
export function SyncIssues({ issues, onDismiss }: SyncIssuesProps) {
  const t = useMessages(syncResultMessages);
  if (issues.length === 0) return null;
  return (
    <div className="flex items-start gap-3 rounded-xl bg-warning-soft p-3 text-sm text-warning-text">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <details className="min-w-0 flex-1">
        <summary className="cursor-pointer font-medium">{t("leadIssues", { count: issues.length })}</summary>
        <ul className="mt-2 max-h-48 list-disc overflow-y-auto pl-4">
          {[...new Set(issues)].map((issue) => (
            <li key={issue}>{issue}</li>
          ))}
        </ul>
      </details>
      <Button variant="ghost" size="sm" className="-my-1 text-inherit" onClick={onDismiss}>
        {t("dismiss")}
      </Button>
    </div>
  );
}

/** Progress of a sync that any user started, shown on every open page from its first event on. Scheduled syncs are not shown. */
export function SyncProgress() {
  const t = useMessages(syncResultMessages);
  const [hasSynced, setSynced] = useState(false);
  useLiveEvents("crm-sync", () => setSynced(true));
  const { data = [] } = useQuery({ ...syncRunsQuery(), enabled: hasSynced });
  const running = data.find(
    ({ state, kind }) => state === "running" && (kind === "all" || kind === "assigned"),
  );
  if (!running) return null;
  return (
    <p role="status" className="flex items-center gap-2 text-muted-foreground text-sm tabular-nums">
      <Spinner decorative />
      {t("progress", { count: formatNumber(running.synced) })}
    </p>
  );
}
