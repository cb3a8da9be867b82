/** All local-storage keys. `public/theme.js` repeats the first three. */
export const STORAGE_KEYS = {
  theme: "lead-desk.theme",
  language: "lead-desk.language",
  /** Set while the language was chosen on the sign-in page, for the next sign-in. */
  languagePicked: "lead-desk.language-picked",
  loggedIn: "lead-desk.logged-in",
  userEmail: "lead-desk.user-email",
  /** Theme and language of the account as this browser last saw them; what it shows may differ if it was chosen here. */
  accountInterface: "lead-desk.account-interface",
  /** The user who turned push notifications on here, and their session: `user@session`. */
  push: "lead-desk.push",
  desktopNotifications: "lead-desk.desktop-notifications",
  reminded: "lead-desk.reminded",
  remindedFollowUps: "lead-desk.reminded-follow-ups",
  noticed: "lead-desk.noticed",
  /** Heights of parts that are known late (`LatePart`). */
  needsOutcomeHeight: "lead-desk.needs-outcome-height",
  missedCallsHeight: "lead-desk.missed-calls-height",
  earlierMeetingsHeight: "lead-desk.earlier-meetings-height",
} as const;

export type StorageKey = (typeof STORAGE_KEYS)[keyof typeof STORAGE_KEYS];

/** The stored text; null if there is none or storage is blocked. */
export function readStored(key: StorageKey): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text; null removes the entry. If storage is blocked or full the setting lasts until the page is closed. */
export function writeStored(key: StorageKey, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // The copy is optional.
  }
}

/** A text stored in this tab until sign-out, which survives closed dialogs and reloads; null if there is none. */
export function readTab(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text in this tab; null removes it. If storage is blocked or full it lasts until its component is unmounted. */
export function writeTab(key: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, value);
  } catch {
    // The copy is optional.
  }
}

/** `readTab` for JSON; null also for an unreadable value of an earlier version. */
export function readTabJson<T>(key: string): T | null {
  try {
    return JSON.parse(readTab(key) ?? "null") as T | null;
  } catch {
    return null;
  }
}

/** Clears this tab's storage. */
export function clearTabStorage(): void {
  try {
    sessionStorage.clear();
  } catch {
    // Blocked storage holds nothing.
  }
}
