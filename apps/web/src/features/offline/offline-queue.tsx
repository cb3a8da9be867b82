import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CloudUpload, TriangleAlert } from "lucide-react";
import { useEffect } from "react";
import { cn } from "../../lib/cn.ts";
import { currentConnection, preloadCode, watchConnection } from "../../lib/connection.ts";
import { useMessages } from "../../lib/i18n.ts";
import { useLateModule } from "../../lib/late-module.ts";
import { isQueueOpen, queueItems, readQueue, sendQueue, watchQueue } from "../../lib/offline/queue.ts";
import { currentUserQuery } from "../../lib/query-client.ts";
import { useStore } from "../../lib/store.ts";
import { offlineMessages } from "./unsent-mark.tsx";

/** Interval between attempts without any sign that the server is back. */
const againMs = 15_000;
const loadDialog = () => import("./queue-dialog.tsx");
const loadShowSent = () => import("./show-sent.ts");

/** Sends the user's queued writes whenever they are likely to arrive, and shows their list. */
export function OfflineQueue() {
  const client = useQueryClient();
  const { data: user } = useQuery(currentUserQuery());
  const userId = user?.id;
  const isAsked = useStore(isQueueOpen);
  const QueueDialog = useLateModule(loadDialog, isAsked)?.default;
  useEffect(() => {
    if (userId === undefined) return;
    let isSending = false;
    const send = async () => {
      if (isSending || !queueItems.get().some(({ refusal }) => !refusal)) return;
      isSending = true;
      try {
        const { sent } = await sendQueue(client);
        if (sent > 0) (await loadShowSent()).showSent(sent);
      } catch {
        // The items are in the browser's database, where the next attempt finds them.
      } finally {
        isSending = false;
      }
    };
    // Without a database nothing is queued.
    const show = () => readQueue(userId).catch(() => undefined);
    void show().then(send);
    const onBack = () => {
      if (currentConnection() === "up") void send();
    };
    const stopWatching = [watchQueue(show), watchConnection(onBack)];
    window.addEventListener("online", send);
    const timer = setInterval(() => navigator.onLine && void send(), againMs);
    // Preloaded, as the list could not be loaded without a network.
    const preload = setTimeout(() => [loadDialog, loadShowSent].forEach(preloadCode), againMs / 5);
    return () => {
      for (const stop of stopWatching) stop();
      window.removeEventListener("online", send);
      clearInterval(timer);
      clearTimeout(preload);
    };
  }, [client, userId]);
  return QueueDialog ? <QueueDialog /> : null;
}

/** In the top bar: the number of queued and refused writes; opens their list. Nothing without any; on a narrow screen only the number. */
export function QueueButton({ isNarrow = false }: { isNarrow?: boolean }) {
  const t = useMessages(offlineMessages);
  const count = useStore(queueItems, (items) => items.length);
  const refused = useStore(queueItems, (items) => items.filter(({ refusal }) => refusal).length);
  const Icon = refused > 0 ? TriangleAlert : CloudUpload;
  const words = [
    ...(refused > 0 ? [t("refusedCount", { count: refused })] : []),
    ...(count > refused ? [t("unsentCount", { count: count - refused })] : []),
  ].join(" · ");
  return (
    <>
      <p role="status" className="sr-only">
        {words}
      </p>
      {count === 0 ? null : (
        <button
          type="button"
          aria-haspopup="dialog"
          aria-label={words}
          onClick={() => isQueueOpen.set(true)}
          className={cn(
            "inline-flex min-h-8 min-w-0 items-center gap-2 rounded-md px-2.5 py-1 text-left font-medium text-xs leading-4 pointer-coarse:min-h-11",
            refused > 0 ? "bg-danger-soft text-danger-text" : "bg-warning-soft text-warning-text",
          )}
        >
          <Icon aria-hidden className="size-4 shrink-0" />
          {isNarrow ? count : words}
        </button>
      )}
    </>
  );
}
