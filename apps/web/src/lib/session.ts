import { getCurrentUser } from "@portal/contract/routes/auth";
import type { QueryClient } from "@tanstack/react-query";
import { page } from "./navigation.ts";
import { clearTabStorage, STORAGE_KEYS, writeStored } from "./storage-keys.ts";

const LOGOUT_PATH = "/api/logout";

/** Leaves the two recorded entries (specification §2); they hint at what to load first and are trusted for nothing. */
export function rememberSignIn(email: string): void {
  writeStored(STORAGE_KEYS.loggedIn, "true");
  writeStored(STORAGE_KEYS.userEmail, email);
}

function forgetSignIn(): void {
  writeStored(STORAGE_KEYS.loggedIn, null);
  writeStored(STORAGE_KEYS.userEmail, null);
  clearTabStorage();
}

/** Clears the two entries and navigates to the server's sign-out (specification §2, Avatar menu). */
export function signOut(): void {
  forgetSignIn();
  page.go(LOGOUT_PATH);
}

/** Shows the login screen at `path` and ends the session, without loading the page anew. @throws TypeError when the server is away. */
export async function signOutTo(path: string, client: QueryClient): Promise<void> {
  // Past the router, which hooks into `history` and would still send whoever was signed in elsewhere.
  History.prototype.replaceState.call(window.history, null, "", path);
  client.setQueryData([getCurrentUser.path], null);
  try {
    // Only now, so that nothing on screen asks for what it may not have any more. The answer is a redirect meant for navigations.
    await fetch(LOGOUT_PATH, { credentials: "include", redirect: "manual" });
    forgetSignIn();
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== getCurrentUser.path });
  } catch (error) {
    await client.refetchQueries({ queryKey: [getCurrentUser.path] });
    throw error;
  }
}
