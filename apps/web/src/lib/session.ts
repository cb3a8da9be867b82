import { getCurrentUser } from "@portal/contract/routes/auth";
import type { QueryClient } from "@tanstack/react-query";
import { page } from "./navigation.ts";
import { STORAGE_KEYS, writeStored } from "./storage-keys.ts";

const LOGOUT_PATH = "/api/logout";

/** Leaves the two recorded entries (specification §2); they hint at what to load first and are trusted for nothing. */
export function rememberSignIn(email: string): void {
  writeStored(STORAGE_KEYS.loggedIn, "true");
  writeStored(STORAGE_KEYS.userEmail, email);
}

function forgetSignIn(): void {
  writeStored(STORAGE_KEYS.loggedIn, null);
  writeStored(STORAGE_KEYS.userEmail, null);
}

/** Clears the two entries and navigates to the server's sign-out (specification §2, Avatar menu). */
export function signOut(): void {
  forgetSignIn();
  page.go(LOGOUT_PATH);
}

/** Ends the session without leaving the page, then shows the login screen at `path`. */
export async function signOutTo(path: string, client: QueryClient): Promise<void> {
  // The answer is a redirect meant for navigations; the ended session is all that matters here.
  await fetch(LOGOUT_PATH, { credentials: "include", redirect: "manual" });
  forgetSignIn();
  // Past the router, which hooks into `history` and would still send whoever was signed in elsewhere.
  History.prototype.replaceState.call(window.history, null, "", path);
  client.setQueryData([getCurrentUser.path], null);
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== getCurrentUser.path });
}
