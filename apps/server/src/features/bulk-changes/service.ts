import { isDeepStrictEqual } from "node:util";
import type { BulkChange, BulkPreview, BulkReason } from "@portal/contract/entities/bulk-change";
import { smsSegments } from "@portal/contract/sms-segments";
import { violatedConstraint } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { recordAudit } from "../activity/audit.ts";
import { scopeOf } from "../leads/policy.ts";
import { changeFields, queueSms } from "./change-leads.ts";
import { type Asked, checkEdit, judgeLeads } from "./check-edit.ts";
import { presentChange } from "./present.ts";
import {
  type ChangeRow,
  findChange,
  findChangeByRef,
  insertChange,
  listChanges,
  listGroups,
} from "./repository.ts";
import type { BulkContext } from "./types.ts";

/** Names that are told of each reason. */
const namesShown = 20;

/** What an act would do; changes nothing. Errors: see the contract's `previewBulkChange`. */
export async function previewEdit(context: BulkContext, asked: Asked): Promise<BulkPreview> {
  const edit = await context.database.transaction((tx) => checkEdit(context, tx, asked));
  const judged = await judgeLeads(context, context.database.db, { ...asked, edit });
  const byReason = new Map<BulkReason, { id: number; name: string }[]>();
  for (const { lead, reason } of judged) {
    if (reason) byReason.set(reason, [...(byReason.get(reason) ?? []), { id: lead.id, name: lead.name }]);
  }
  const leftOut = [...byReason].map(([reason, leads]) => ({
    reason,
    count: leads.length,
    leads: leads.slice(0, namesShown),
  }));
  const missing = asked.leadIds.length - judged.length;
  if (missing > 0) leftOut.push({ reason: "not_found", count: missing, leads: [] });
  return {
    changed: judged.filter(({ reason }) => reason === null).length,
    leftOut: leftOut.sort((a, b) => b.count - a.count),
    segments: edit.kind === "text" ? smsSegments(edit.message).segments : null,
  };
}

function checkSame(row: ChangeRow, { actor, edit, leadIds }: Asked): number {
  if (row.userId === actor.userId && isDeepStrictEqual(row.edit, edit) && row.asked === leadIds.length)
    return row.id;
  throw new AppError("conflict", "This request was used for another change already. Send it again.");
}

/** Writes the act with everything that it does at once; answers its id. */
async function write(context: BulkContext, asked: Asked & { clientRef: string }): Promise<number> {
  const { actor, clientRef, leadIds } = asked;
  const { userId } = actor;
  return context.database.transaction(async (tx) => {
    const known = await findChangeByRef(tx, clientRef);
    const edit = await checkEdit(context, tx, asked);
    if (known) return checkSame(known, { ...asked, edit });
    const { waitMs } = context.timings;
    const id = await insertChange(tx, { userId, clientRef, edit, asked: leadIds.length, waitMs });
    const changed =
      edit.kind === "text"
        ? await queueSms(context, tx, id, { actor, edit, leadIds })
        : await changeFields(context, tx, id, { actor, edit, leadIds });
    const { kind, ...value } = edit;
    const data = { kind, ...(kind !== "text" && value), asked: leadIds.length, changed };
    await recordAudit(tx, { userId, action: "leads-changed-together", subject: `bulk-change:${id}`, data });
    await publishEvent(tx, { topic: "bulk-change", id, audience: [userId] });
    return id;
  });
}

/** Does an act on many leads, once for a reference. Errors: see the contract's `createBulkChange`. */
export async function createChange(
  context: BulkContext,
  asked: Asked & { clientRef: string },
): Promise<BulkChange> {
  const id = await write(context, asked).catch((error: unknown) => {
    // Two requests of one moment: the second finds what the first one did.
    if (violatedConstraint(error) !== "bulk_changes_client_ref_unique") throw error;
    return write(context, asked);
  });
  return getChange(context, { actor: asked.actor, id });
}

/** One act, one's own or any for administrators. Errors: `not_found`. */
export async function getChange(
  { database: { db } }: Pick<BulkContext, "database">,
  { actor, id }: { actor: AuthSession; id: number },
): Promise<BulkChange> {
  const row = await findChange(db, id, scopeOf(actor));
  if (!row) throw new AppError("not_found", "There is no such change.");
  return presentChange(row, await listGroups(db, [id]));
}

/** The acts of the last day, newest first. */
export async function listRecent(
  { database: { db } }: Pick<BulkContext, "database">,
  actor: AuthSession,
): Promise<BulkChange[]> {
  const rows = await listChanges(db, scopeOf(actor));
  const groups = await listGroups(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) =>
    presentChange(
      row,
      groups.filter(({ changeId }) => changeId === row.id),
    ),
  );
}
