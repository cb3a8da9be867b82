import type { Db } from "../../platform/db/client.ts";
import { type Connection, findConnection } from "./repository.ts";
import type { CrmConnectionContext } from "./types.ts";

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
