import type { Db } from "../../platform/db/client.ts";
import { type Connection, findConnection } from "./repository.ts";
import type { CrmConnectionContext } from "./types.ts";

/** A connection as far as it counts: that of another location than the one that is set does not. */
export function ownOf(
  { app, locationId }: CrmConnectionContext,
  row: Connection | undefined,
): Connection | undefined {
  return app && (locationId === null || row?.locationId === locationId) ? row : undefined;
}

/** The connection that counts; undefined for none. */
export async function findOwnConnection(
  context: CrmConnectionContext,
  db: Db = context.database.db,
): Promise<Connection | undefined> {
  return context.app ? ownOf(context, await findConnection(db)) : undefined;
}

/**
 * Why the token of a standing connection is not renewed, as people must know it: the app's id or secret is refused, or the token has ended
 * and the CRM does not answer. Null while it is renewed, and where the connection is lost.
 */
export function unrenewed(row: Connection): Connection["renewalFailure"] {
  const { lostAt, renewalFailure } = row;
  if (lostAt !== null) return null;
  return renewalFailure === "unanswered" && !hasEnded(row) ? null : renewalFailure;
}

/** Whether the access token is over. */
export function hasEnded({ expiresAt }: Connection): boolean {
  return expiresAt <= new Date();
}

/** The location whose contacts are worked here; null while there is none. */
export async function ownLocation(context: CrmConnectionContext, db: Db): Promise<string | null> {
  return (await findOwnConnection(context, db))?.locationId ?? context.locationId;
}
