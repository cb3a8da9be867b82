import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { currentConnection, preloadCode, watchConnection } from "../../lib/connection.ts";
import { useLateModule } from "../../lib/late-module.ts";
import { isQueueOpen, queueItems, readQueue, sendQueue, watchQueue } from "../../lib/offline/queue.ts";
import { currentUserQuery } from "../../lib/query-client.ts";
import { useStore } from "../../lib/store.ts";

/** How often what waits is tried again where nothing says that the server is back. */
const againMs = 15_000;
const loadDialog = () => import("./queue-dialog.tsx");
const loadShowSent = () => import("./show-sent.ts");

/** Sends what waits for the signed-in person whenever there is reason to believe that it will arrive, and shows the list of it. */
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
        // What waits is in the browser's database; the next try finds it there.
      } finally {
        isSending = false;
      }
    };
    // Where the browser keeps nothing, nothing waits.
    const show = () => readQueue(userId).catch(() => undefined);
    void show().then(send);
    const onBack = () => {
      if (currentConnection() === "up") void send();
    };
    const stopWatching = [watchQueue(show), watchConnection(onBack)];
    window.addEventListener("online", send);
    const timer = setInterval(() => navigator.onLine && void send(), againMs);
    // Without a network the list could not be fetched any more.
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
