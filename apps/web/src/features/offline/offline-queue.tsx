import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { currentConnection, preloadCode, watchConnection } from "../../lib/connection.ts";
import { useLateModule } from "../../lib/late-module.ts";
import { isQueueOpen, queueItems, readQueue, sendQueue, watchQueue } from "../../lib/offline/queue.ts";
import { currentUserQuery } from "../../lib/query-client.ts";
import { useStore } from "../../lib/store.ts";

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
