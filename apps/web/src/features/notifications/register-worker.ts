import { isWorkerServed, WORKER_PATH } from "../../lib/document.ts";

/** Whether this browser can have the worker: not with http, in some private windows, or if the server has switched it off. */
export const canHaveWorker = (): boolean => "serviceWorker" in navigator && isWorkerServed();

/** Registers or finds the worker; null if that is not possible. The script is checked for updates each time. */
export async function registerWorker(): Promise<ServiceWorkerRegistration | null> {
  if (!canHaveWorker()) return null;
  try {
    return await navigator.serviceWorker.register(WORKER_PATH, { updateViaCache: "none" });
  } catch {
    // No network, or storage is blocked; the portal works without the worker.
    return null;
  }
}

/** Whether a call or dialer session is shown, docked or as a bar (`lib/document`). */
function isCallOn(): boolean {
  const { hasDock, hasBottomBar, hasMinimisedCall } = document.documentElement.dataset;
  return [hasDock, hasBottomBar, hasMinimisedCall].some((mark) => mark !== undefined);
}

/** Activates a waiting new version of the worker, but not during a call. */
export function letNewWorkerBegin(registration: ServiceWorkerRegistration | null): void {
  if (registration?.waiting && !isCallOn()) registration.waiting.postMessage("take-over");
}

/** Opens the page of a clicked notification when the worker asks for it, until the returned function is called. */
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
