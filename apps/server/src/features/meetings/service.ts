import type { Meeting } from "@portal/contract/entities/meeting";
import { eq } from "drizzle-orm";
import type { Database, Tx } from "../../db/client.ts";
import { leads } from "../../db/schema/leads.ts";
import { meetings } from "../../db/schema/meetings.ts";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import { findMeeting } from "./data.ts";
import { presentMeeting } from "./present.ts";

export interface MeetingsContext {
  database: Database;
  /** Zone of meetings that name none. */
  orgTimeZone: string;
  /** Origin that the identifiers of calendar files end in. */
  publicUrl: string;
}

const missing = () => new AppError("not_found", "This meeting does not exist.");

/** A meeting of one's own as the API answers it. Errors: `not_found`, `forbidden`. */
export async function getMeeting(
  { database }: Pick<MeetingsContext, "database">,
  { actor, meetingId }: { actor: Session; meetingId: number },
): Promise<Meeting> {
  return presentMeeting(await getMeetingRow({ database }, { actor, meetingId }));
}

/** The same as its row. Errors: `not_found`, `forbidden`. */
export async function getMeetingRow(
  { database }: Pick<MeetingsContext, "database">,
  { actor, meetingId }: { actor: Session; meetingId: number },
) {
  const row = await findMeeting(database.db, meetingId);
  if (!row) throw missing();
  if (row.userId !== actor.userId) throw new AppError("forbidden", "This is another consultant's meeting.");
  return row;
}

/**
 * Locks a meeting of one's own for a write, a deleted one too. Its lead is held first, as a transfer does it, so that the two never
 * wait for each other. Errors: `not_found`, `forbidden`.
 */
export async function lockMeeting(tx: Tx, actor: Session, meetingId: number) {
  const [known] = await tx
    .select({ leadId: meetings.leadId })
    .from(meetings)
    .where(eq(meetings.id, meetingId));
  if (!known) throw missing();
  if (known.leadId !== null)
    await tx.select({ id: leads.id }).from(leads).where(eq(leads.id, known.leadId)).for("key share");
  const [row] = await tx.select().from(meetings).where(eq(meetings.id, meetingId)).for("update");
  if (!row) throw missing();
  if (row.userId !== actor.userId) throw new AppError("forbidden", "This is another consultant's meeting.");
  return row;
}
