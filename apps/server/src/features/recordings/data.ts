import { eq } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { leads } from "../../db/schema/leads.ts";

/** Whose lead it is and which CRM message holds the AI agent's call, or undefined. */
export async function findLeadRecording(
  db: Db,
  leadId: number,
): Promise<{ assignedTo: number | null; messageId: string | null } | undefined> {
  const [row] = await db
    .select({ assignedTo: leads.assignedTo, messageId: leads.aiRecordingMessageId })
    .from(leads)
    .where(eq(leads.id, leadId));
  return row;
}
