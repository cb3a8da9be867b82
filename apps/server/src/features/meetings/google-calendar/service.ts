import { createHash, randomBytes } from "node:crypto";
import { type GoogleStatus, type SetupFault, setupFaults } from "@portal/contract/entities/meeting";
import type { AdminAlertKind } from "@portal/contract/routes/notifications";
import { decrypt, encrypt } from "../../../domain/encryption.ts";
import type { Tx } from "../../../platform/db/client.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { AuthSession } from "../../../platform/http/session.ts";
import { publishEvent } from "../../../platform/realtime/publish.ts";
import type { CalendarTokens } from "../../../ports/calendar.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import { recordAudit } from "../../activity/service.ts";
import { settleAdminAlert } from "../../notifications/service.ts";
import {
  type Account,
  claimConsent,
  countPending,
  countSetupFault,
  deleteAccount,
  findAccount,
  holdClaim,
  markUnsent,
  saveAccount,
  saveConsent,
} from "./repository.ts";
import { encryptTokens, type GoogleContext, openTokens } from "./types.ts";

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
  return account.tokens && account.disconnectedReason === null ? "connected" : "disconnected";
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

const consentMs = 10 * 60_000;
const purpose = "google consent verifier";

/** Result of a consent for the calendar page. */
export type ConsentResult = "connected" | "denied" | "failed";

const hashOf = (state: string) => createHash("sha256").update(state).digest("hex");

/** The address for Google's consent page. The state is random, for a single use by this session. Errors: `provider_off`. */
export async function beginConsent(context: GoogleContext, actor: AuthSession): Promise<string> {
  const { calendar, database, encryptionKeys } = context;
  if (!calendar) throw new AppError("provider_off", "Google Calendar is not set up here.");
  const state = randomBytes(32).toString("base64url");
  const verifier = randomBytes(64).toString("base64url");
  await database.transaction((tx) =>
    saveConsent(tx, {
      stateHash: hashOf(state),
      userId: actor.userId,
      sessionId: actor.sessionId,
      codeVerifier: encrypt(verifier, { encryptionKeys, purpose }),
      expiresAt: new Date(Date.now() + consentMs),
    }),
  );
  return calendar.consentUrl({ state, verifier, email: actor.email });
}

/** Handles Google's redirect after the consent. Failures are returned as a result, never thrown. */
export async function finishConsent(
  context: GoogleContext,
  actor: AuthSession,
  answer: { state?: string | undefined; code?: string | undefined; error?: string | undefined },
): Promise<ConsentResult> {
  const { calendar, database, encryptionKeys, log } = context;
  const { userId, sessionId } = actor;
  if (!calendar || !answer.state) return "failed";
  const sealed = await claimConsent(database.db, { stateHash: hashOf(answer.state), sessionId, userId });
  const verifier = sealed && decrypt(sealed, { encryptionKeys, purpose });
  if (!verifier) return "failed";
  if (answer.error) return answer.error === "access_denied" ? "denied" : "failed";
  if (!answer.code) return "failed";
  try {
    const { tokens, scope, email, mayWrite } = await calendar.exchangeCode({ code: answer.code, verifier });
    if (!tokens) return "failed";
    if (!mayWrite) {
      await revokeQuietly(context, tokens);
      return "denied";
    }
    await database.transaction(async (tx) => {
      await saveAccount(tx, { userId, email, scope, tokens: encryptTokens(context, tokens) });
      await markUnsent(tx, userId, ["none", "failed"]);
      await recordAudit(tx, { userId, action: "google.connected", data: { email } });
      await publishEvent(tx, { topic: "meeting", id: 0, audience: [userId] });
      await context.jobs.enqueue(tx, syncQueue, { userId }, { key: String(userId) });
    });
    return "connected";
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ err: error, userId }, "Google refused the code of a consent");
    return "failed";
  }
}

/** Removes the connection and revokes it at Google; a failed revocation is ignored. Meetings stay. */
export async function disconnect(context: GoogleContext, { userId }: AuthSession): Promise<void> {
  const account = await context.database.transaction(async (tx) => {
    const gone = await deleteAccount(tx, userId);
    if (!gone) return null;
    await recordAudit(tx, { userId, action: "google.disconnected", data: { email: gone.email } });
    await publishEvent(tx, { topic: "meeting", id: 0, audience: [userId] });
    await settleSetupAlerts(tx, context);
    return gone;
  });
  const tokens = account?.tokens ? openTokens(context, account.tokens) : null;
  if (tokens) await revokeQuietly(context, tokens);
}

async function revokeQuietly({ calendar, log }: GoogleContext, tokens: CalendarTokens): Promise<void> {
  await calendar
    ?.revoke(tokens)
    .catch((err: unknown) => log.warn({ err }, "Google did not end a connection"));
}
