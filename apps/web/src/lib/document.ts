import { useLayoutEffect } from "react";

/** Removes the static skeleton of index.html; called by every possible first screen. */
export function useSkeletonRemoval(): void {
  useLayoutEffect(() => document.getElementById("skeleton")?.remove(), []);
}

/** Whether the server runs in demo mode, by the page's meta tag; test data is offered only then. */
export function isDemoMode(): boolean {
  return document.querySelector<HTMLMetaElement>('meta[name="demo-mode"]')?.content === "true";
}

/** The portal's only service worker. */
export const WORKER_PATH = "/portal-worker.js";

/** Whether the server serves the worker; not if it is switched off, nor in development. */
export const isWorkerServed = (): boolean =>
  document.querySelector<HTMLMetaElement>('meta[name="portal-worker"]')?.content === "on";

/** Unregisters service workers of older versions, which have another address. */
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
    // Private windows may refuse access, and have no workers.
  }
}

type RootMark =
  | "hasBottomBar"
  | "hasMinimisedCall"
  | "hasActionBar"
  | "hasDialog"
  | "hasDock"
  | "hasLeadPanel"
  | "hasPhoneBar"
  | "isList"
  | "isUnconnected";

const marked = new Map<RootMark, number>();

function mark(name: RootMark, change: 1 | -1): void {
  const count = (marked.get(name) ?? 0) + change;
  marked.set(name, count);
  if (count > 0) document.documentElement.dataset[name] = "";
  else delete document.documentElement.dataset[name];
}

/**
 * Sets an attribute on `<html>` while the component is mounted, such as `data-has-bottom-bar`, so that styles.css can make room.
 * `:root:has()` would be evaluated at every change of the DOM.
 */
export function useRootMark(name: RootMark, isOn = true): void {
  useLayoutEffect(() => {
    if (!isOn) return;
    mark(name, 1);
    return () => mark(name, -1);
  }, [name, isOn]);
}
