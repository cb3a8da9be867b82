import { isWorkerServed, WORKER_PATH } from "../../lib/server-page.ts";

/** Whether this browser can have the worker: not by http, in some private windows, or where the server has switched it off. */
export const canHaveWorker = (): boolean => "serviceWorker" in navigator && isWorkerServed();

/** Registers the worker, or finds it; null where it cannot be. The script is asked for anew each time. */
export async function registerWorker(): Promise<ServiceWorkerRegistration | null> {
  if (!canHaveWorker()) return null;
  try {
    return await navigator.serviceWorker.register(WORKER_PATH, { updateViaCache: "none" });
  } catch {
    // No network, or storage is blocked: the portal works without it.
    return null;
  }
}

/** What shows a call or a calling session, docked or as a bar, marks the page (`lib/root-mark`). */
function isCallOn(): boolean {
  const { hasDock, hasBottomBar, hasMinimisedCall } = document.documentElement.dataset;
  return [hasDock, hasBottomBar, hasMinimisedCall].some((mark) => mark !== undefined);
}

/** Lets a new version of the worker begin, which waits for it; not while a call is on. */
export function letNewWorkerBegin(registration: ServiceWorkerRegistration | null): void {
  if (registration?.waiting && !isCallOn()) registration.waiting.postMessage("take-over");
}

/** Goes where a notification leads to when the worker asks this page; until the returned function is called. */
export function followNotifications(go: (path: string) => void): () => void {
  if (!("serviceWorker" in navigator)) return () => undefined;
  const stopped = new AbortController();
  navigator.serviceWorker.addEventListener(
    "message",
    ({ data, ports }: MessageEvent<{ open?: string } | null>) => {
      if (typeof data?.open !== "string") return;
      ports[0]?.postMessage("going");
      go(data.open);
    },
    { signal: stopped.signal },
  );
  navigator.serviceWorker.startMessages();
  return () => stopped.abort();
}
