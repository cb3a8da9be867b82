import type { Database, Tx } from "../../db/client.ts";
import { lockOutbound, type MessageRow } from "./data.ts";

/** Applies what is known of an outbound text to its locked row, in one transaction; nothing happens where the row is not there. */
export async function withLockedText(
  context: { database: Database },
  messageId: number,
  apply: (tx: Tx, row: MessageRow) => Promise<void>,
): Promise<void> {
  await context.database.transaction(async (tx) => {
    const row = await lockOutbound(tx, { id: messageId });
    if (row) await apply(tx, row);
  });
}
