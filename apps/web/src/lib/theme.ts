import { readStored, STORAGE_KEYS, writeStored } from "./storage-keys.ts";
import { createStore, useStore } from "./store.ts";

export const THEMES = ["light", "dark", "auto"] as const;
export type Theme = (typeof THEMES)[number];

const systemDark = window.matchMedia("(prefers-color-scheme: dark)");
const chosenTheme = createStore(storedTheme());

function storedTheme(): Theme {
  const stored = readStored(STORAGE_KEYS.theme);
  return stored === "light" || stored === "dark" ? stored : "auto";
}

function applyTheme(): void {
  const theme = chosenTheme.get();
  const dark = theme === "dark" || (theme === "auto" && systemDark.matches);
  const root = document.documentElement;
  root.classList.toggle("dark", dark);
  root.style.colorScheme = dark ? "dark" : "light";
}

systemDark.addEventListener("change", applyTheme);

/** Applies a theme and stores it in this browser. `auto` follows the system's theme. */
export function setTheme(next: Theme): void {
  chosenTheme.set(next);
  writeStored(STORAGE_KEYS.theme, next);
  applyTheme();
}

/** The chosen theme, which may be `auto`. */
export function useTheme(): Theme {
  return useStore(chosenTheme);
}
