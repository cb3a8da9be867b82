import { setTimeout as sleep } from "node:timers/promises";
import type { Db, Tx } from "../../platform/db/client.ts";
import { waitForEvent } from "../../platform/realtime/listener.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import {
  type CrmAccess,
  type CrmGrant,
  type CrmKey,
  CrmKeyAwaited,
  CrmKeyMissing,
  CrmNotConnected,
} from "../../ports/crm.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { recordAudit } from "../activity/service.ts";
import { resumeCrmPush } from "../crm-outbox/service.ts";
import { settleAdminAlert } from "../notifications/service.ts";
import {
  type Connection,
  claimRefresh,
  clearLost,
  endAccess,
  findConnection,
  isClaimed,
  type LostReason,
  markLost,
  releaseRefresh,
  saveRefreshed,
} from "./repository.ts";
import { type CrmConnectionContext, encryptTokens, openTokens } from "./types.ts";

/** The connection, if it belongs to the configured location. */
export function ownOf(
  { app, locationId }: CrmConnectionContext,
  row: Connection | undefined,
): Connection | undefined {
  return app && (locationId === null || row?.locationId === locationId) ? row : undefined;
}

/** The connection of the configured location; undefined if there is none. */
export async function findOwnConnection(
  context: CrmConnectionContext,
  db: Db = context.database.db,
): Promise<Connection | undefined> {
  return context.app ? ownOf(context, await findConnection(db)) : undefined;
}

/**
 * Why the token of a valid connection is not renewed, for display: the app's id or secret is refused, or the token has expired and the CRM
 * does not answer. Null while it is renewed, and if the connection is lost.
 */
export function unrenewed(row: Connection): Connection["renewalFailure"] {
  const { lostAt, renewalFailure } = row;
  if (lostAt !== null) return null;
  return renewalFailure === "unanswered" && !hasEnded(row) ? null : renewalFailure;
}

/** Whether the access token has expired. */
export function hasEnded({ expiresAt }: Connection): boolean {
  return expiresAt <= new Date();
}

/** The id of the location in use; null if there is none. */
export async function ownLocation(context: CrmConnectionContext, db: Db): Promise<string | null> {
  return (await findOwnConnection(context, db))?.locationId ?? context.locationId;
}

/** Longer than the timeout of the token endpoint. */
const otherWorksMs = 35_000;
/** Pauses between attempts to store a response: it cannot be requested again. */
const storePausesMs = [100, 500, 2_000, 5_000, 10_000];

/** Publishes a change to every open page. */
export async function publishConnection(tx: Tx): Promise<void> {
  await publishEvent(tx, { topic: "crm-connection", id: 0, audience: "all" });
}

/** Publishes a change to every open page, and notifies administrators if the app needs them. Call it last in a transaction. */
export async function settleConnection(tx: Tx, context: CrmConnectionContext): Promise<void> {
  await publishConnection(tx);
  const isOpen = async () => {
    const row = await findOwnConnection(context, tx);
    return row !== undefined && (row.lostAt !== null || unrenewed(row) !== null);
  };
  await settleAdminAlert(tx, context, { kind: "crm_lost", isOpen });
}

/** Marks the connection as lost, once, and alerts the administrators. Returns whether this call marked it. */
export async function loseConnection(
  tx: Tx,
  context: CrmConnectionContext,
  { generation, reason }: { generation: number; reason: LostReason },
): Promise<boolean> {
  const lost = await markLost(tx, { generation, reason });
  if (!lost) return false;
  const { locationId } = lost;
  await recordAudit(tx, { userId: null, action: "crm-app-lost", data: { locationId, reason } });
  context.log.warn({ locationId, reason }, "GoHighLevel must be connected again");
  await settleConnection(tx, context);
  return true;
}

/** The key that the tokens are encrypted with was set again: they were never sent while it was missing, so they still work. */
async function regainConnection(tx: Tx, context: CrmConnectionContext, generation: number): Promise<void> {
  if (!(await clearLost(tx, { generation, reason: "key-changed" }))) return;
  context.log.info("GoHighLevel's tokens can be read again");
  await resumeCrmPush(tx, context.jobs);
  await settleConnection(tx, context);
}

/** Stores a response before anything else, and retries while the database is unavailable. */
async function store(context: CrmConnectionContext, held: Connection, grant: CrmGrant): Promise<void> {
  const { generation } = held;
  const tokens = encryptTokens(context, grant.tokens);
  for (const pauseMs of [...storePausesMs, null]) {
    try {
      await context.database.transaction(async (tx) => {
        const isKept = await saveRefreshed(tx, { generation, grant, tokens });
        if (isKept && held.renewalFailure !== null) await resumeCrmPush(tx, context.jobs);
        await settleConnection(tx, context);
      });
      return;
    } catch (error) {
      if (pauseMs === null) throw error;
      context.log.error({ err: error }, "GoHighLevel's new tokens are not stored yet");
      await sleep(pauseMs);
    }
  }
}

/** Waits until the other process has finished: renewed, failed, or released. */
async function untilOtherIsDone(context: CrmConnectionContext, generation: number): Promise<void> {
  await waitForEvent({
    events: context.events,
    concerns: ({ topic }) => topic === "crm-connection",
    timeoutMs: otherWorksMs,
    look: async () => {
      const row = await findConnection(context.database.db);
      const works = row?.generation === generation && row.lostAt === null && isClaimed(row);
      return works ? null : true;
    },
  });
}

/**
 * Renews the tokens of this generation: one process does, the others wait for it. A refusal ends the connection: the response to an earlier
 * renewal was lost, or the app was removed. Any other failure is retried later; administrators are notified if the app itself is refused,
 * and once the token has expired. Never throws errors of the CRM.
 */
async function refreshConnection(context: CrmConnectionContext, generation: number): Promise<void> {
  const { app, database, log } = context;
  if (!app) return;
  const held = await claimRefresh(database.db, generation);
  if (!held) return untilOtherIsDone(context, generation);
  const lose = (reason: LostReason) =>
    database.transaction((tx) => loseConnection(tx, context, { generation, reason }));
  const tokens = openTokens(context, held.tokens);
  if (!tokens) return void (await lose("key-changed"));
  let grant: CrmGrant;
  try {
    grant = await app.refresh(tokens.refreshToken);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ err: error, cause: error.cause }, "GoHighLevel's tokens were not renewed");
    if (error.kind === "auth") return void (await lose("refused"));
    const renewalFailure = error.kind === "invalid" ? "app-refused" : "unanswered";
    return database.transaction(async (tx) => {
      await releaseRefresh(tx, { claim: held.claim, renewalFailure });
      await settleConnection(tx, context);
    });
  }
  await store(context, held, grant);
}

/** Renews the tokens when a quarter of their lifetime is left; any process may call it. */
export async function refreshDue(context: CrmConnectionContext): Promise<void> {
  const row = await findOwnConnection(context);
  if (row?.tokens && row.lostReason === "key-changed" && openTokens(context, row.tokens))
    return context.database.transaction((tx) => regainConnection(tx, context, row.generation));
  if (row?.tokens && row.lostAt === null && row.refreshAt <= new Date() && !isClaimed(row))
    await refreshConnection(context, row.generation);
}

/** A token younger than this is not renewed after a refusal: that would repeat without end. */
const youngMs = 60_000;

/** Whether there is no valid key for the CRM until an administrator connects or the token is renewed: requests need not be tried. */
export async function isCut(access: CrmAccess): Promise<boolean> {
  return access.key().then(
    () => false,
    (error: unknown) => {
      if (error instanceof CrmKeyMissing) return true;
      throw error;
    },
  );
}

/**
 * Provides the key for requests: the app's while it is connected, renewed by one process at a time when it has expired; else the private
 * token; else the app's last key.
 */
export function createCrmAccess(context: CrmConnectionContext): CrmAccess {
  const { database, privateKey } = context;

  function appKey(row: Connection | undefined): CrmKey | null {
    if (!row?.tokens || hasEnded(row)) return null;
    const tokens = openTokens(context, row.tokens);
    return tokens && { token: tokens.accessToken, locationId: row.locationId };
  }

  async function key(): Promise<CrmKey> {
    let row = await findOwnConnection(context);
    if (row?.tokens && row.lostAt === null && appKey(row) === null) {
      // Neither key reads it: the renewal handles it.
      if (!hasEnded(row)) await endAccess(database.db, row.generation);
      await refreshConnection(context, row.generation);
      row = await findOwnConnection(context);
    }
    const ofApp = appKey(row);
    const found = row?.lostAt === null ? (ofApp ?? privateKey) : (privateKey ?? ofApp);
    if (found) return found;
    if (!row) throw new CrmNotConnected("not_connected", "GoHighLevel is not connected yet.");
    if (row.lostAt !== null)
      throw new CrmNotConnected("connect_again", "GoHighLevel must be connected again.");
    if (row.renewalFailure === "app-refused")
      throw new CrmNotConnected("app_refused", "GoHighLevel does not take the app's id or secret.");
    throw new CrmKeyAwaited();
  }

  return {
    key,
    async refused({ token }) {
      const row = await findOwnConnection(context);
      if (row && appKey(row)?.token === token) {
        if (Date.now() - row.refreshedAt.getTime() < youngMs) return false;
        await endAccess(database.db, row.generation);
      }
      return (await key()).token !== token;
    },
  };
}
