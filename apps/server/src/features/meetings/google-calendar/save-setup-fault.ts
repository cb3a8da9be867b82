import { type SetupFault, setupFaults } from "@portal/contract/entities/meeting";
import type { AdminAlertKind } from "@portal/contract/routes/notifications";
import type { Tx } from "../../../platform/db/client.ts";
import { publishEvent } from "../../../platform/realtime/publish.ts";
import { settleAdminAlert } from "../../notifications/record-alert.ts";
import { type Account, countSetupFault, holdClaim } from "./repository.ts";
import type { GoogleContext } from "./types.ts";

const alertOf = {
  api_off: "google_api_off",
  domain_policy: "google_domain_policy",
} as const satisfies Record<SetupFault, AdminAlertKind>;

/** Tells administrators what has to be switched on at Google, once however many calendars wait for it, until none does any more. */
export async function settleSetupAlerts(tx: Tx, context: GoogleContext): Promise<void> {
  for (const fault of setupFaults)
    await settleAdminAlert(tx, context, {
      kind: alertOf[fault],
      isOpen: async () => (await countSetupFault(tx, fault)) > 0,
    });
}

/** Keeps whether a calendar waits for something to be switched on at Google; null where Google lets the portal in. Errors: `ClaimLost`. */
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
