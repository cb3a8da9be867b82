import { useLayoutEffect } from "react";

/** Removes the static skeleton of index.html; for whatever may be the first real screen. */
export function useSkeletonRemoval(): void {
  useLayoutEffect(() => document.getElementById("skeleton")?.remove(), []);
}
