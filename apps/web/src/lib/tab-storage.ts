/** A text that this tab keeps of the person at work, until they sign out: it outlives dialogs and reloads. Null where there is none. */
export function readTab(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a text; null forgets it. Where storage is blocked or full it lasts as long as what shows it. */
export function writeTab(key: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, value);
  } catch {
    // Nothing depends on the copy kept here.
  }
}

/** The same of JSON; null too for what an earlier version kept in another way. */
export function readTabJson<T>(key: string): T | null {
  try {
    return JSON.parse(readTab(key) ?? "null") as T | null;
  } catch {
    return null;
  }
}

/** Empties what this tab keeps. */
export function clearTabStorage(): void {
  try {
    sessionStorage.clear();
  } catch {
    // Blocked storage holds nothing.
  }
}
