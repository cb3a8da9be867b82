import { useLayoutEffect } from "react";

/** Removes the static skeleton of index.html; for whatever may be the first real screen. */
export function useSkeletonRemoval(): void {
  useLayoutEffect(() => document.getElementById("skeleton")?.remove(), []);
}

/** Whether the server runs in demo mode, as it says in the page; test data is offered only then. */
export function isDemoMode(): boolean {
  return document.querySelector<HTMLMetaElement>('meta[name="demo-mode"]')?.content === "true";
}

/** The portal's only service worker. */
export const WORKER_PATH = "/portal-worker.js";

/** Whether the server serves the worker: not where it is switched off, nor by the development server. */
export const isWorkerServed = (): boolean =>
  document.querySelector<HTMLMetaElement>('meta[name="portal-worker"]')?.content === "on";

/** Unregisters the service workers that older versions left behind: all whose address is not the portal's worker's. */
export async function unregisterOldWorkers(): Promise<void> {
  try {
    const registrations = (await navigator.serviceWorker?.getRegistrations()) ?? [];
    const isOurs = ({ active, waiting, installing }: ServiceWorkerRegistration) =>
      isWorkerServed() &&
      [active, waiting, installing].some(
        (worker) => worker && new URL(worker.scriptURL).pathname === WORKER_PATH,
      );
    await Promise.all(registrations.filter((each) => !isOurs(each)).map((each) => each.unregister()));
  } catch {
    // Refused in private windows: then there is none to remove either.
  }
}
