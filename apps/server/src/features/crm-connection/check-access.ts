import {
  type CrmAccess,
  type CrmKey,
  CrmKeyAwaited,
  CrmKeyMissing,
  CrmNotConnected,
} from "../../ports/crm.ts";
import { findOwnConnection, hasEnded } from "./read-own-connection.ts";
import { refreshConnection } from "./refresh.ts";
import { type Connection, endAccess } from "./repository.ts";
import { type CrmConnectionContext, openTokens } from "./types.ts";

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
