import type { Tx } from "../../db/client.ts";
import { recordLeadEvents } from "../timeline/service.ts";
import { markGone } from "./data-gone.ts";

/** What a change says that can no longer be sent. */
const goneReason = "The contact was deleted in GoHighLevel.";

/**
 * Marks the leads of deleted contacts: they stay, with all their history, and are sent nowhere any more. Answers how many there were
 * and their consultants.
 */
export async function takeGone(
  tx: Tx,
  contactIds: string[],
): Promise<{ deleted: number; owners: Set<number | null> }> {
  const marked = contactIds.length > 0 ? await markGone(tx, { contactIds, reason: goneReason }) : [];
  await recordLeadEvents(
    tx,
    marked.map(({ id }) => ({ leadId: id, userId: null, kind: "crm-deleted" })),
  );
  return { deleted: marked.length, owners: new Set(marked.map(({ assignedTo }) => assignedTo)) };
}
