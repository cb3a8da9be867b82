import { useLayoutEffect } from "react";

/** Removes the static skeleton of index.html; for whatever may be the first real screen. */
export function useSkeletonRemoval(): void {
  useLayoutEffect(() => document.getElementById("skeleton")?.remove(), []);
}

/** Whether the server runs in demo mode, as it says in the page; test data is offered only then. */
export function isDemoMode(): boolean {
  return document.querySelector<HTMLMetaElement>('meta[name="demo-mode"]')?.content === "true";
}
