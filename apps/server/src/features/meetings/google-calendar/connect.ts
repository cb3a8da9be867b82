import { createHash, randomBytes } from "node:crypto";
import { decrypt, encrypt } from "../../../domain/encryption.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { AuthSession } from "../../../platform/http/session.ts";
import { publishEvent } from "../../../platform/realtime/publish.ts";
import type { CalendarTokens } from "../../../ports/calendar.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import { recordAudit } from "../../activity/record-audit.ts";
import { claimConsent, deleteAccount, markUnsent, saveAccount, saveConsent } from "./repository.ts";
import { settleSetupAlerts, syncQueue } from "./service.ts";
import { encryptTokens, type GoogleContext, openTokens } from "./types.ts";

const consentMs = 10 * 60_000;
const purpose = "google consent verifier";

/** Result of a consent for the calendar page. */
export type ConsentResult = "connected" | "denied" | "failed";

const hashOf = (state: string) => createHash("sha256").update(state).digest("hex");

/** The address for Google's consent page. The state is random, for a single use by this session. Errors: `provider_off`. */
export async function beginConsent(context: GoogleContext, actor: AuthSession): Promise<string> {
  const { calendar, database, encryptionKey } = context;
  if (!calendar) throw new AppError("provider_off", "Google Calendar is not set up here.");
  const state = randomBytes(32).toString("base64url");
  const verifier = randomBytes(64).toString("base64url");
  await database.transaction((tx) =>
    saveConsent(tx, {
      stateHash: hashOf(state),
      userId: actor.userId,
      sessionId: actor.sessionId,
      codeVerifier: encrypt(verifier, { encryptionKey, purpose }),
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
  const { calendar, database, encryptionKey, log } = context;
  const { userId, sessionId } = actor;
  if (!calendar || !answer.state) return "failed";
  const sealed = await claimConsent(database.db, { stateHash: hashOf(answer.state), sessionId, userId });
  const verifier = sealed && decrypt(sealed, { encryptionKey, purpose });
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
