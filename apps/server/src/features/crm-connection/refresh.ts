import { setTimeout as sleep } from "node:timers/promises";
import type { Tx } from "../../platform/db/client.ts";
import { waitForEvent } from "../../platform/realtime/listener.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import type { CrmGrant } from "../../ports/crm.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { recordAudit } from "../activity/service.ts";
import { resumeCrmPush } from "../crm-outbox/service.ts";
import { settleAdminAlert } from "../notifications/record-alert.ts";
import { findOwnConnection, unrenewed } from "./read-own-connection.ts";
import {
  type Connection,
  claimRefresh,
  clearLost,
  findConnection,
  isClaimed,
  type LostReason,
  markLost,
  releaseRefresh,
  saveRefreshed,
} from "./repository.ts";
import { type CrmConnectionContext, encryptTokens, openTokens } from "./types.ts";

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
export async function refreshConnection(context: CrmConnectionContext, generation: number): Promise<void> {
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
