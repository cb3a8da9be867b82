import type { CurrentUser } from "@portal/contract/entities/user";
import { getCurrentUser } from "@portal/contract/routes/auth";
import type { QueryClient } from "@tanstack/react-query";
import { setLanguage } from "./i18n.ts";
import { page } from "./navigation.ts";
import { clearTabStorage, readStored, STORAGE_KEYS, writeStored } from "./storage-keys.ts";
import { forgetPersonal } from "./store.ts";
import { setTheme } from "./theme.ts";

const LOGOUT_PATH = "/api/logout";

/** What an account has chosen, as this browser keeps it to see what changed elsewhere. */
const choicesOf = ({ theme, language }: CurrentUser) => `${theme} ${language}`;

/** Leaves the two recorded entries, which hint at what to load first and are trusted for nothing, and what the account has chosen. */
export function rememberSignIn(user: CurrentUser): void {
  writeStored(STORAGE_KEYS.loggedIn, "true");
  writeStored(STORAGE_KEYS.userEmail, user.email);
  writeStored(STORAGE_KEYS.accountInterface, choicesOf(user));
  writeStored(STORAGE_KEYS.languagePicked, null);
}

/**
 * Theme and language of whoever turns out to be signed in. After a sign-in elsewhere (at the external login provider) the account's hold
 * where nothing was chosen here; later what the account has chosen in another browser since holds here too.
 */
export function followAccount(user: CurrentUser): void {
  const { theme, language } = user;
  if (readStored(STORAGE_KEYS.loggedIn) === null) {
    rememberSignIn(user);
    if (readStored(STORAGE_KEYS.theme) === null) setTheme(theme);
    if (readStored(STORAGE_KEYS.language) === null) setLanguage(language);
    return;
  }
  // Who signed in before this was kept sees what changes from now on.
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

/** Shows the login screen at `path` and ends the session, without loading the page anew unless the login provider's session ends too. @throws TypeError when the server is away. */
export async function signOutTo(path: string, client: QueryClient): Promise<void> {
  // Nobody is to believe that the session has ended.
  if (!navigator.onLine) throw new TypeError("There is no network");
  // Past the router, which hooks into `history` and would still send whoever was signed in elsewhere.
  History.prototype.replaceState.call(window.history, null, "", path);
  client.setQueryData([getCurrentUser.path], null);
  try {
    // Only now, so that nothing on screen asks for what it may not have any more.
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
