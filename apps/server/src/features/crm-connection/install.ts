import { createHash, randomBytes } from "node:crypto";
import type { FoundInstall, InstallResult } from "@portal/contract/entities/crm-connection";
import { z } from "zod";
import { decrypt, encrypt } from "../../domain/encryption.ts";
import type { Tx } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import type { CrmApp, CrmEvent, CrmGrant } from "../../ports/crm.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { recordAudit } from "../activity/service.ts";
import { resumeCrmPush } from "../crm-outbox/service.ts";
import { findOwnConnection, loseConnection, ownOf, publishConnection, settleConnection } from "./refresh.ts";
import {
  claimInstall,
  deleteConnection,
  endAccess,
  findConnection,
  holdConnection,
  nameLocation,
  saveConnection,
  saveInstall,
} from "./repository.ts";

import { type CrmConnectionContext, encryptTokens } from "./types.ts";

const installMs = 15 * 60_000;
const purpose = "crm app install";

const hashOf = (state: string) => createHash("sha256").update(state).digest("hex");

function requireApp({ app }: CrmConnectionContext): CrmApp {
  if (!app) throw new AppError("provider_off", "The GoHighLevel app is not set up here.");
  return app;
}

/** The address at which the browser installs the app. The state is random, for one use by this session. Errors: `provider_off`. */
export async function beginInstall(context: CrmConnectionContext, actor: AuthSession): Promise<string> {
  const app = requireApp(context);
  const state = randomBytes(32).toString("base64url");
  await context.database.transaction((tx) =>
    saveInstall(tx, {
      stateHash: hashOf(state),
      userId: actor.userId,
      sessionId: actor.sessionId,
      expiresAt: new Date(Date.now() + installMs),
    }),
  );
  return app.installUrl(state);
}

/** Checks that a grant is for the only location that may be connected; null if it is. */
async function judge(
  context: CrmConnectionContext,
  { locationId }: CrmGrant,
): Promise<"several" | "other-location" | null> {
  if (locationId === null) return "several";
  if (context.locationId !== null && context.locationId !== locationId) return "other-location";
  const known = await findOwnConnection(context);
  return known && known.locationId !== locationId ? "other-location" : null;
}

/** Stores a checked grant: requests use it from now on, and pending work continues. */
async function keep(
  tx: Tx,
  context: CrmConnectionContext,
  { userId, grant, locationName }: { userId: number; grant: CrmGrant; locationName: string | null },
): Promise<void> {
  const { locationId } = grant;
  if (locationId === null) throw new Error("a grant for no location");
  const tokens = encryptTokens(context, grant.tokens);
  await saveConnection(tx, { locationId, locationName, grant, tokens, userId });
  await resumeCrmPush(tx, context.jobs);
  await recordAudit(tx, { userId, action: "crm-app-connected", data: { locationId, locationName } });
  await settleConnection(tx, context);
}

/**
 * Handles HighLevel's response to an installation that this session started. Failures are in the result, never thrown. The tokens are
 * stored before they are used to read the location's name.
 */
export async function finishInstall(
  context: CrmConnectionContext,
  actor: AuthSession,
  answer: { state: string; code?: string | undefined; error?: string | undefined },
): Promise<InstallResult> {
  const { app, database, log } = context;
  const { userId, sessionId } = actor;
  if (!app) return "failed";
  if (!(await claimInstall(database.db, { stateHash: hashOf(answer.state), sessionId, userId })))
    return "failed";
  if (answer.error) return answer.error === "access_denied" ? "denied" : "failed";
  if (!answer.code) return "failed";
  try {
    const grant = await app.exchangeCode(answer.code);
    const refusal = await judge(context, grant);
    if (refusal !== null) return refusal;
    await database.transaction((tx) => keep(tx, context, { userId, grant, locationName: null }));
    await readName(context, app, grant);
    return "connected";
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ err: error, cause: error.cause, userId }, "GoHighLevel refused the code of an installation");
    return "failed";
  }
}

/** A missing name is replaced by the location's id. */
async function readName(
  { database, log }: CrmConnectionContext,
  app: CrmApp,
  grant: CrmGrant,
): Promise<void> {
  const { locationId, tokens } = grant;
  if (locationId === null) return;
  try {
    const name = await app.locationName(tokens.accessToken, locationId);
    await database.transaction(async (tx) => {
      await nameLocation(tx, locationId, name);
      await publishConnection(tx);
    });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ err: error }, "the location's name was not read");
  }
}

/** The encrypted content that the browser keeps between the check of an installation and its confirmation: the portal stores nothing. */
const heldSchema = z.object({
  grant: z.object({
    tokens: z.object({ accessToken: z.string(), refreshToken: z.string() }),
    expiresInSeconds: z.number(),
    locationId: z.string(),
    companyId: z.string().nullable(),
    missingScopes: z.array(z.string()),
  }),
  locationName: z.string(),
  sessionId: z.number(),
  userId: z.number(),
  /** The generation of the connection at that time: if it has changed, this is invalid. */
  generation: z.number(),
  at: z.number(),
});

/**
 * Checks an installation that was started at HighLevel, where the user is unknown. Stores nothing: the data that an administrator confirms
 * is sent to their browser, encrypted, and returned with the confirmation. Errors: `provider_off`.
 */
export async function readInstall(
  context: CrmConnectionContext,
  actor: AuthSession,
  code: string,
): Promise<FoundInstall> {
  const app = requireApp(context);
  const { encryptionKeys, database, log } = context;
  const refused = (result: Exclude<FoundInstall["result"], "found">) => ({
    result,
    location: null,
    held: null,
  });
  try {
    const grant = await app.exchangeCode(code);
    const refusal = await judge(context, grant);
    if (refusal !== null) return refused(refusal);
    const { locationId: id } = grant;
    if (id === null) return refused("several");
    const name = await app.locationName(grant.tokens.accessToken, id);
    const { userId, sessionId } = actor;
    const generation = (await findConnection(database.db))?.generation ?? 0;
    const held = { grant, locationName: name, sessionId, userId, generation, at: Date.now() };
    return {
      result: "found",
      location: { id, name },
      held: encrypt(JSON.stringify(held), { encryptionKeys, purpose }),
    };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ err: error, cause: error.cause }, "GoHighLevel refused the code of an installation");
    return refused("failed");
  }
}

/**
 * Stores the installation that this administrator checked in this session. Errors: `provider_off`; `conflict` if it is too old, or from
 * another session.
 */
export async function confirmInstall(
  context: CrmConnectionContext,
  actor: AuthSession,
  sealed: string,
): Promise<void> {
  requireApp(context);
  const { encryptionKeys, database } = context;
  const text = decrypt(sealed, { encryptionKeys, purpose });
  const held = heldSchema.safeParse(text === null ? null : JSON.parse(text)).data;
  const own =
    held &&
    held.userId === actor.userId &&
    held.sessionId === actor.sessionId &&
    Date.now() - held.at < installMs;
  const refuse = () => new AppError("conflict", "This installation is too old. Begin it again.");
  if (!own) throw refuse();
  const { grant, locationName, userId } = held;
  await database.transaction(async (tx) => {
    const before = await holdConnection(tx);
    if ((before?.generation ?? 0) !== held.generation) throw refuse();
    await keep(tx, context, { userId, grant, locationName });
  });
}

/** Deletes the connection; at HighLevel the app stays installed until it is removed there. Does nothing without a connection. */
export async function forgetConnection(
  context: CrmConnectionContext,
  { userId }: AuthSession,
): Promise<void> {
  await context.database.transaction(async (tx) => {
    const gone = await deleteConnection(tx);
    if (!gone) return;
    const { locationId, locationName } = gone;
    await recordAudit(tx, { userId, action: "crm-app-disconnected", data: { locationId, locationName } });
    await settleConnection(tx, context);
  });
}

/**
 * Handles HighLevel's events about the app itself. INSTALL has no tokens: the page then asks an administrator to connect. UNINSTALL ends
 * the connection at once, unless it was made again since; without a timestamp, the tokens are renewed, and only a refusal ends it. Returns
 * why it had no effect, or null.
 */
export async function applyAppEvent(
  tx: Tx,
  context: CrmConnectionContext,
  event: Extract<CrmEvent, { kind: "app" }>,
): Promise<string | null> {
  if (context.app && !context.app.isOurs(event.appId)) return "another app";
  const row = ownOf(context, await holdConnection(tx));
  const ours = row?.locationId ?? context.locationId;
  const isOurs = event.locationId
    ? event.locationId === (ours ?? event.locationId)
    : event.companyId === row?.companyId;
  if (!isOurs) return "another location";
  await publishConnection(tx);
  if (event.installed || !row) return null;
  if (event.sentAt === null) {
    await endAccess(tx, row.generation);
    return null;
  }
  if (event.sentAt < row.connectedAt) return "it was connected again since";
  await loseConnection(tx, context, { generation: row.generation, reason: "uninstalled" });
  return null;
}
