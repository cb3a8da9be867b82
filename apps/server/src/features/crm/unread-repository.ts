import { eq, inArray, ne } from "drizzle-orm";
import type { Tx } from "../../platform/db/client.ts";
import { crmUnread } from "../../platform/db/schema/crm.ts";
import { leads } from "../../platform/db/schema/leads.ts";

const leadsOf = (tx: Tx, contactIds: string[]) =>
  tx.select({ leadId: leads.id }).from(leads).where(inArray(leads.ghlContactId, contactIds));

/** Notes leads whose contact a full run could not read: they are read before they are contacted, until somebody could. */
export async function noteUnread(tx: Tx, runId: number, contactIds: string[]): Promise<void> {
  if (contactIds.length === 0) return;
  const found = await leadsOf(tx, contactIds);
  if (found.length === 0) return;
  await tx
    .insert(crmUnread)
    .values(found.map(({ leadId }) => ({ leadId, runId })))
    .onConflictDoUpdate({ target: crmUnread.leadId, set: { runId } });
}

/** These contacts were read. */
export async function forgetUnread(tx: Tx, contactIds: string[]): Promise<void> {
  if (contactIds.length > 0)
    await tx.delete(crmUnread).where(inArray(crmUnread.leadId, leadsOf(tx, contactIds)));
}

/** A full run that is done has read what earlier ones could not, but for what it noted itself. */
export async function forgetUnreadBefore(tx: Tx, runId: number): Promise<void> {
  await tx.delete(crmUnread).where(ne(crmUnread.runId, runId));
}

/** A run goes on for one that failed. */
export async function handOnUnread(tx: Tx, from: number, to: number): Promise<void> {
  await tx.update(crmUnread).set({ runId: to }).where(eq(crmUnread.runId, from));
}
