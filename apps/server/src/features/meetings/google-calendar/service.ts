import { type GoogleStatus, type SetupFault, setupFaults } from "@portal/contract/entities/meeting";
import type { AdminAlertKind } from "@portal/contract/routes/notifications";
import type { Tx } from "../../../platform/db/client.ts";
import { publishEvent } from "../../../platform/realtime/publish.ts";
import { settleAdminAlert } from "../../notifications/record-alert.ts";
import { type Account, countPending, countSetupFault, findAccount, holdClaim } from "./repository.ts";
import type { GoogleContext } from "./types.ts";

const alertOf = {
  api_off: "google_api_off",
  domain_policy: "google_domain_policy",
} as const satisfies Record<SetupFault, AdminAlertKind>;

/** Alerts administrators to settings that are missing at Google, once for any number of calendars, until none is affected. */
export async function settleSetupAlerts(tx: Tx, context: GoogleContext): Promise<void> {
  for (const fault of setupFaults)
    await settleAdminAlert(tx, context, {
      kind: alertOf[fault],
      isOpen: async () => (await countSetupFault(tx, fault)) > 0,
    });
}

/** Stores which setting is missing at Google for a calendar; null if access works. Errors: `ClaimLost`. */
export async function saveSetupFault(
  context: GoogleContext,
  account: Account & { claim: string },
  fault: SetupFault | null,
): Promise<void> {
  if (account.setupFault === fault) return;
  await context.database.transaction(async (tx) => {
    await holdClaim(tx, account, { setupFault: fault });
    await publishEvent(tx, { topic: "meeting", id: 0, audience: [account.userId] });
    await settleSetupAlerts(tx, context);
  });
}

/** Queue of accounts to sync, keyed by user id. */
export const syncQueue = "google-sync";

function stateOf(context: GoogleContext, account: Account | undefined): GoogleStatus["state"] {
  if (!context.calendar) return "off";
  if (!account) return "never_connected";
  return account.tokens ? "connected" : "disconnected";
}

/** State of a user's connection. */
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
