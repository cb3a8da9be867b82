import { randomInt, randomUUID } from "node:crypto";
import { and, desc, eq, inArray, isNotNull, isNull, lt, or } from "drizzle-orm";
import type { Db, Tx } from "../../platform/db/client.ts";
import { sql } from "../../platform/db/query.ts";
import { providerEvents } from "../../platform/db/schema/calls.ts";
import { crmConnections, crmInstalls, crmPrivateTokens } from "../../platform/db/schema/crm.ts";
import type { CrmGrant } from "../../ports/crm.ts";

export type Connection = typeof crmConnections.$inferSelect;
export type LostReason = NonNullable<Connection["lostReason"]>;

/** A worker that has been silent for this long counts as dead; the timeout of the token endpoint is half of it. */
const claimSeconds = 60;
/** The delay after a failed renewal. */
const retrySeconds = 30;
/** The part of a token's lifetime after which it is renewed. */
const renewedAfter = 0.75;

const now = sql`clock_timestamp()`;
const inSeconds = (seconds: number) => sql`clock_timestamp() + make_interval(secs => ${seconds})`;

export async function saveInstall(tx: Tx, install: typeof crmInstalls.$inferInsert): Promise<void> {
  await tx.delete(crmInstalls).where(lt(crmInstalls.expiresAt, now));
  await tx.insert(crmInstalls).values(install);
}

/** Whether this session started an installation with that state, in time, and nobody has finished it; marks it as finished. */
export async function claimInstall(
  db: Db,
  { stateHash, sessionId, userId }: { stateHash: string; sessionId: number; userId: number },
): Promise<boolean> {
  const taken = await db
    .delete(crmInstalls)
    .where(
      and(
        eq(crmInstalls.stateHash, stateHash),
        eq(crmInstalls.sessionId, sessionId),
        eq(crmInstalls.userId, userId),
        sql`${crmInstalls.expiresAt} > clock_timestamp()`,
      ),
    )
    .returning();
  return taken.length > 0;
}

export async function findConnection(db: Db): Promise<Connection | undefined> {
  const [row] = await db.select().from(crmConnections);
  return row;
}

/** Reads the connection and locks it until the transaction ends. */
export async function holdConnection(tx: Tx): Promise<Connection | undefined> {
  const [row] = await tx.select().from(crmConnections).for("update");
  return row;
}

function times(grant: CrmGrant) {
  return {
    expiresAt: inSeconds(grant.expiresInSeconds),
    refreshAt: inSeconds(grant.expiresInSeconds * renewedAfter),
    refreshedAt: now,
  };
}

const whole = { claim: null, claimedAt: null, lostAt: null, lostReason: null, renewalFailure: null };

/** The first generation of a new row is random in this range: a row that follows a deleted one must never have its generation. */
const firstGenerations = 2 ** 30;

/** Stores a new installation in place of an earlier one. */
export async function saveConnection(
  tx: Tx,
  made: {
    locationId: string;
    locationName: string | null;
    grant: CrmGrant;
    tokens: string;
    userId: number;
  },
): Promise<void> {
  const { grant, userId, ...rest } = made;
  const values = {
    ...rest,
    ...times(grant),
    companyId: grant.companyId,
    missingScopes: grant.missingScopes,
    connectedAt: now,
    connectedBy: userId,
  };
  await tx
    .insert(crmConnections)
    .values({ ...values, generation: randomInt(firstGenerations) })
    .onConflictDoUpdate({
      target: crmConnections.id,
      set: { ...values, ...whole, generation: sql`${crmConnections.generation} + 1` },
    });
}

export async function nameLocation(db: Db, locationId: string, locationName: string): Promise<void> {
  await db.update(crmConnections).set({ locationName }).where(eq(crmConnections.locationId, locationId));
}

export async function deleteConnection(tx: Tx): Promise<Connection | undefined> {
  const [row] = await tx.delete(crmConnections).returning();
  return row;
}

/** Whether a worker that may still be alive has claimed the renewal. */
export function isClaimed({ claimedAt }: Pick<Connection, "claimedAt">): boolean {
  return claimedAt !== null && Date.now() - claimedAt.getTime() <= claimSeconds * 1_000;
}

/** Claims the renewal of these tokens for this worker; null if another has claimed it, or they are not the current ones. */
export async function claimRefresh(
  db: Db,
  generation: number,
): Promise<(Connection & { claim: string; tokens: string }) | null> {
  const claim = randomUUID();
  const [row] = await db
    .update(crmConnections)
    .set({ claim, claimedAt: now })
    .where(
      and(
        eq(crmConnections.generation, generation),
        isNotNull(crmConnections.tokens),
        isNull(crmConnections.lostAt),
        lt(crmConnections.refreshAt, now),
        or(
          isNull(crmConnections.claim),
          sql`${crmConnections.claimedAt} < clock_timestamp() - make_interval(secs => ${claimSeconds})`,
        ),
      ),
    )
    .returning();
  return row?.tokens ? { ...row, claim, tokens: row.tokens } : null;
}

/**
 * Stores the pair that replaced the current one, regardless of who has the claim now, because the CRM accepts no other. False if the
 * connection has been replaced since.
 */
export async function saveRefreshed(
  tx: Tx,
  { generation, grant, tokens }: { generation: number; grant: CrmGrant; tokens: string },
): Promise<boolean> {
  const saved = await tx
    .update(crmConnections)
    .set({
      tokens,
      ...times(grant),
      ...whole,
      missingScopes: grant.missingScopes,
      generation: generation + 1,
    })
    .where(eq(crmConnections.generation, generation))
    .returning({ id: crmConnections.id });
  return saved.length > 0;
}

/** Releases the claim of a failed renewal; the next attempt is possible in half a minute. */
export async function releaseRefresh(
  tx: Tx,
  { claim, renewalFailure }: { claim: string; renewalFailure: Connection["renewalFailure"] },
): Promise<void> {
  await tx
    .update(crmConnections)
    .set({ claim: null, claimedAt: null, refreshAt: inSeconds(retrySeconds), renewalFailure })
    .where(eq(crmConnections.claim, claim));
}

/** The CRM refuses this access token: it is due for renewal now. */
export async function endAccess(db: Db, generation: number): Promise<void> {
  await db
    .update(crmConnections)
    .set({ expiresAt: now, refreshAt: sql`least(${crmConnections.refreshAt}, clock_timestamp())` })
    .where(
      and(eq(crmConnections.generation, generation), sql`${crmConnections.expiresAt} > clock_timestamp()`),
    );
}

/** Ends the loss of a connection for this reason; false if it is no longer lost for it. */
export async function clearLost(
  tx: Tx,
  { generation, reason }: { generation: number; reason: LostReason },
): Promise<boolean> {
  const rows = await tx
    .update(crmConnections)
    .set({ lostAt: null, lostReason: null })
    .where(and(eq(crmConnections.generation, generation), eq(crmConnections.lostReason, reason)))
    .returning();
  return rows.length > 0;
}

/** Marks the connection as lost; undefined if it already is, or has been replaced since. */
export async function markLost(
  tx: Tx,
  { generation, reason }: { generation: number; reason: LostReason },
): Promise<Connection | undefined> {
  const removed = reason === "uninstalled";
  const [row] = await tx
    .update(crmConnections)
    .set({
      claim: null,
      claimedAt: null,
      lostAt: now,
      lostReason: reason,
      // A running renewal of a removed app must not be stored; a refused one may still get a valid response.
      ...(removed && { tokens: null, generation: generation + 1 }),
    })
    .where(
      and(
        eq(crmConnections.generation, generation),
        removed
          ? or(isNull(crmConnections.lostAt), isNotNull(crmConnections.tokens))
          : isNull(crmConnections.lostAt),
      ),
    )
    .returning();
  return row;
}

/** Records the private token as seen now, if it is new; returns since when it is in use. */
export async function notePrivateToken(db: Db, hash: string): Promise<Date> {
  await db.insert(crmPrivateTokens).values({ hash }).onConflictDoNothing();
  const [row] = await db.select().from(crmPrivateTokens).where(eq(crmPrivateTokens.hash, hash));
  if (!row) throw new Error("a private token without a row");
  return row.since;
}

export async function setPrivateTokenDate(
  tx: Tx,
  { hash, since }: { hash: string; since: Date },
): Promise<void> {
  await tx
    .insert(crmPrivateTokens)
    .values({ hash, since })
    .onConflictDoUpdate({ target: crmPrivateTokens.hash, set: { since } });
}

/** When the CRM last sent an event, and its last event about the app: which, and when. */
export async function findAppEvents(
  db: Db,
): Promise<{ lastEventAt: Date | null; app: { installed: boolean; at: Date } | null }> {
  const ours = eq(providerEvents.source, "gohighlevel");
  const newest = (where: ReturnType<typeof and>) =>
    db
      .select({ kind: providerEvents.kind, at: providerEvents.receivedAt })
      .from(providerEvents)
      .where(where)
      .orderBy(desc(providerEvents.receivedAt))
      .limit(1);
  const [last] = await newest(ours);
  const [app] = await newest(
    and(ours, inArray(providerEvents.kind, ["INSTALL", "UNINSTALL"]), isNull(providerEvents.error)),
  );
  return {
    lastEventAt: last?.at ?? null,
    app: app ? { installed: app.kind === "INSTALL", at: app.at } : null,
  };
}
