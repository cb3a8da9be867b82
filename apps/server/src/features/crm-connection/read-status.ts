import { createHash } from "node:crypto";
import type { CrmConnection } from "@portal/contract/entities/crm-connection";
import { limits } from "@portal/contract/limits";
import { AppError } from "../../platform/http/app-error.ts";
import { recordAudit } from "../activity/service.ts";
import { findOwnConnection, hasEnded, publishConnection, unrenewed } from "./refresh.ts";
import { type Connection, findAppEvents, notePrivateToken, setPrivateTokenDate } from "./repository.ts";
import type { CrmConnectionContext } from "./types.ts";

const dayMs = 86_400_000;
/** HighLevel's advice: rotate a private token after this many days. */
const rotateDays = 90;
const nearDays = 10;
/** Events within this time show that the CRM can reach the portal. */
const eventsMs = 7 * dayMs;

const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");

/** Records when the private token was first seen. */
export async function notePrivateKey({ database, privateKey }: CrmConnectionContext): Promise<void> {
  if (privateKey) await notePrivateToken(database.db, hashOf(privateKey.token));
}

async function privateToken({
  database,
  privateKey,
}: CrmConnectionContext): Promise<CrmConnection["privateToken"]> {
  if (!privateKey) return null;
  const since = await notePrivateToken(database.db, hashOf(privateKey.token));
  const rotateBy = new Date(since.getTime() + rotateDays * dayMs);
  const left = rotateBy.getTime() - Date.now();
  const rotation = left <= 0 ? "over" : left <= nearDays * dayMs ? "near" : "fresh";
  return { since: since.toISOString(), rotateBy: rotateBy.toISOString(), rotation };
}

function appOf(row: Connection | undefined): CrmConnection["app"] {
  if (!row) return null;
  return {
    locationId: row.locationId,
    locationName: row.locationName ?? row.locationId,
    connectedAt: row.connectedAt.toISOString(),
    lost: row.lostAt && row.lostReason ? { at: row.lostAt.toISOString(), reason: row.lostReason } : null,
    unrenewed: unrenewed(row),
    missingScopes: row.missingScopes,
  };
}

/** Which key for the CRM is in use, and what is missing. */
export async function connectionStatus(context: CrmConnectionContext): Promise<CrmConnection> {
  const row = await findOwnConnection(context);
  const events = await findAppEvents(context.database.db);
  const app = appOf(row);
  const stands = row !== undefined && row.lostAt === null;
  // An expired token is renewed by the next request, unless that has already failed.
  const serves = stands && !(row.renewalFailure !== null && hasEnded(row));
  const way = serves ? "app" : context.privateKey ? "private" : "none";
  const heard = events.lastEventAt !== null && Date.now() - events.lastEventAt.getTime() < eventsMs;
  const installed = events.app?.installed && (!row || events.app.at > row.connectedAt) && !stands;
  return {
    way,
    appConfigured: context.app !== null,
    app,
    installedAt: installed && events.app ? events.app.at.toISOString() : null,
    privateToken: await privateToken(context),
    lastEventAt: events.lastEventAt?.toISOString() ?? null,
    noEvents: way === "private" && !heard,
  };
}

/** Records an administrator's date of the private token. Errors: `not_found` without one; `invalid` for a future day, or one years ago. */
export async function datePrivateToken(
  context: CrmConnectionContext,
  { userId, since }: { userId: number; since: Date },
): Promise<void> {
  const { privateKey } = context;
  if (!privateKey) throw new AppError("not_found", "No private token is in use.");
  const age = Date.now() - since.getTime();
  if (age < 0) throw new AppError("invalid", "The day lies in the future.");
  if (age > limits.privateTokenAgeDaysMax * dayMs) throw new AppError("invalid", "The day is too long ago.");
  await context.database.transaction(async (tx) => {
    await setPrivateTokenDate(tx, { hash: hashOf(privateKey.token), since });
    await recordAudit(tx, { userId, action: "crm-token-date", data: { since: since.toISOString() } });
    await publishConnection(tx);
  });
}
