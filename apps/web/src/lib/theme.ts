import { useSyncExternalStore } from "react";
import { readStored, STORAGE_KEYS, writeStored } from "./storage-keys.ts";

export const THEMES = ["light", "dark", "auto"] as const;
export type Theme = (typeof THEMES)[number];

const listeners = new Set<() => void>();
const systemDark = window.matchMedia("(prefers-color-scheme: dark)");
let theme = storedTheme();

function storedTheme(): Theme {
  const stored = readStored(STORAGE_KEYS.theme);
  return stored === "light" || stored === "dark" ? stored : "auto";
}

function applyTheme(): void {
  const dark = theme === "dark" || (theme === "auto" && systemDark.matches);
  const root = document.documentElement;
  root.classList.toggle("dark", dark);
  root.style.colorScheme = dark ? "dark" : "light";
  for (const listener of listeners) listener();
}

systemDark.addEventListener("change", applyTheme);

/** Applies a theme now and keeps it in this browser. `auto` follows the system, also while the page is open. */
export function setTheme(next: Theme): void {
  theme = next;
  writeStored(STORAGE_KEYS.theme, next);
  applyTheme();
}

/** The chosen theme (not the one it amounts to). */
export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => theme,
  );
}
