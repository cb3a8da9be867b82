import type { Lead } from "@portal/contract/entities/lead";
import type { CurrentUser } from "@portal/contract/entities/user";
import { getCurrentUser } from "@portal/contract/routes/auth";
import type { QueryClient } from "@tanstack/react-query";
import { setLanguage } from "./i18n.ts";
import { page } from "./navigation.ts";
import { clearTabStorage, readStored, STORAGE_KEYS, writeStored } from "./storage-keys.ts";
import { forgetPersonal } from "./store.ts";
import { setTheme } from "./theme.ts";

/** Whether the user may write to a lead, as the server decides it: its assignee or an administrator; false without a user. */
export function isWriter(
  user: Pick<CurrentUser, "id" | "role"> | null | undefined,
  lead: Pick<Lead, "assignedTo"> | undefined,
): boolean {
  if (!user) return false;
  return user.role === "admin" || lead?.assignedTo === user.id;
}

const LOGOUT_PATH = "/api/logout";

/** An account's theme and language as stored in this browser, to detect changes made in another one. */
const choicesOf = ({ theme, language }: CurrentUser) => `${theme} ${language}`;

/** Stores the two recorded entries, which only hint at what to load first, and the account's theme and language. */
export function rememberSignIn(user: CurrentUser): void {
  writeStored(STORAGE_KEYS.loggedIn, "true");
  writeStored(STORAGE_KEYS.userEmail, user.email);
  writeStored(STORAGE_KEYS.accountInterface, choicesOf(user));
  writeStored(STORAGE_KEYS.languagePicked, null);
}

/**
 * Applies the signed-in user's theme and language. After a sign-in through the external login provider the account's choice applies, unless
 * one was made here; later, changes made in another browser apply too.
 */
export function followAccount(user: CurrentUser): void {
  const { theme, language } = user;
  if (readStored(STORAGE_KEYS.loggedIn) === null) {
    rememberSignIn(user);
    if (readStored(STORAGE_KEYS.theme) === null) setTheme(theme);
    if (readStored(STORAGE_KEYS.language) === null) setLanguage(language);
    return;
  }
  // Without a stored value only later changes apply.
  const [seenTheme, seenLanguage] = (readStored(STORAGE_KEYS.accountInterface) ?? choicesOf(user)).split(" ");
  if (theme !== seenTheme) setTheme(theme);
  if (language !== seenLanguage) setLanguage(language);
  writeStored(STORAGE_KEYS.accountInterface, choicesOf(user));
}

function forgetSignIn(): void {
  writeStored(STORAGE_KEYS.loggedIn, null);
  writeStored(STORAGE_KEYS.userEmail, null);
  writeStored(STORAGE_KEYS.accountInterface, null);
  clearTabStorage();
  forgetPersonal();
}

/** Clears the two entries and navigates to the server's sign-out. */
export function signOut(): void {
  forgetSignIn();
  page.go(LOGOUT_PATH);
}

/**
 * Shows the login screen at `path` and ends the session, with a page load only if the login provider's session ends too. @throws TypeError
 * when the server cannot be reached.
 */
export async function signOutTo(path: string, client: QueryClient): Promise<void> {
  // The user must not believe that the session has ended.
  if (!navigator.onLine) throw new TypeError("There is no network");
  // Bypasses the router, which patches `history` and would redirect a user without a session.
  History.prototype.replaceState.call(window.history, null, "", path);
  client.setQueryData([getCurrentUser.path], null);
  try {
    // After the page was replaced, so that none of its queries runs without a session.
    const headers = { Accept: "application/json" };
    const answer = await fetch(LOGOUT_PATH, { headers, credentials: "include", redirect: "manual" });
    forgetSignIn();
    const { url } = answer.ok ? ((await answer.json()) as { url: string }) : { url: "/" };
    if (url !== "/") page.go(url);
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== getCurrentUser.path });
  } catch (error) {
    await client.refetchQueries({ queryKey: [getCurrentUser.path] });
    throw error;
  }
}
