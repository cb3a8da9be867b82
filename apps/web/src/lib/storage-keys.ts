/** Every local-storage key of the product. `public/theme.js` repeats the first three. */
export const STORAGE_KEYS = {
  theme: "lead-desk.theme",
  language: "lead-desk.language",
  /** Set while the language was chosen on the sign-in page, for whoever signs in next. */
  languagePicked: "lead-desk.language-picked",
  loggedIn: "lead-desk.logged-in",
  userEmail: "lead-desk.user-email",
  /** Theme and language of the account as this browser last saw them: what it shows may differ, where it was chosen here. */
  accountInterface: "lead-desk.account-interface",
  /** Who turned push notifications on here, and by which session: `user@session`. */
  push: "lead-desk.push",
  desktopNotifications: "lead-desk.desktop-notifications",
  reminded: "lead-desk.reminded",
  remindedFollowUps: "lead-desk.reminded-follow-ups",
  noticed: "lead-desk.noticed",
  waitingCalls: "lead-desk.waiting-calls",
} as const;

export type StorageKey = (typeof STORAGE_KEYS)[keyof typeof STORAGE_KEYS];

/** The stored text, or null where there is none or storage is blocked. */
export function readStored(key: StorageKey): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text; null removes the entry. Blocked or full storage is not an error: the setting then lasts for the page. */
export function writeStored(key: StorageKey, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Nothing depends on the copy kept here.
  }
}

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
