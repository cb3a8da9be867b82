import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLiveEvents } from "../../../lib/events.ts";
import { formatNumber } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Spinner } from "../../../ui/spinner.tsx";
import { syncRunsQuery } from "../queries.ts";
import { crmSyncTexts } from "../texts.ts";

/** How far a sync is, whoever asked for it: shown in every open page once there is news of one. The schedule works in silence. */
export function SyncProgress() {
  const t = useTexts(crmSyncTexts);
  const [hasNews, setNews] = useState(false);
  useLiveEvents("crm-sync", () => setNews(true));
  const { data = [] } = useQuery({ ...syncRunsQuery(), enabled: hasNews });
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
