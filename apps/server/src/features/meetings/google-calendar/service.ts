import type { GoogleStatus } from "@portal/contract/entities/meeting";
import { type Account, countPending, findAccount } from "./repository.ts";
import type { GoogleContext } from "./types.ts";

/** Work on one account: send what waits, take in what changed. Keyed by the user. */
export const syncQueue = "google-sync";

function stateOf(context: GoogleContext, account: Account | undefined): GoogleStatus["state"] {
  if (!context.calendar) return "off";
  if (!account) return "never_connected";
  return account.tokens ? "connected" : "disconnected";
}

/** How a person's connection stands. */
export async function googleStatus(context: GoogleContext, userId: number): Promise<GoogleStatus> {
  const { db } = context.database;
  const [account, pending] = [await findAccount(db, userId), await countPending(db, userId)];
  const state = stateOf(context, account);
  return {
    connected: state === "connected",
    state,
    email: account?.email ?? null,
    lastSyncedAt: account?.lastSyncedAt?.toISOString() ?? null,
    pending,
    waitsFor: state === "connected" ? (account?.setupFault ?? null) : null,
  };
}
