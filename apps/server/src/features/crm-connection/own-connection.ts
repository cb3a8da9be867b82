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

/** The location whose contacts are worked here; null while there is none. */
export async function ownLocation(context: CrmConnectionContext, db: Db): Promise<string | null> {
  return (await findOwnConnection(context, db))?.locationId ?? context.locationId;
}
