import { useLayoutEffect } from "react";

/** For whatever may be the first real screen: takes away the outline that came with the page (`app/first-paint`). */
export function useFirstPaintEnd(): void {
  useLayoutEffect(() => document.getElementById("first-paint")?.remove(), []);
}
