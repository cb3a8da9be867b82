import type { Tx } from "../../platform/db/client.ts";
import type { CrmEvent } from "../../ports/crm.ts";
import { ownOf } from "./read-own-connection.ts";
import { loseConnection, publishConnection } from "./refresh.ts";
import { endAccess, holdConnection } from "./repository.ts";
import type { CrmConnectionContext } from "./types.ts";

/**
 * What HighLevel tells of the app itself. INSTALL brings no tokens: the page then asks an administrator to connect. UNINSTALL ends the
 * connection at once, unless it was made anew since; where it names no moment, the tokens are renewed, and only a refusal ends it.
 * Answers why it had no effect, or null.
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
