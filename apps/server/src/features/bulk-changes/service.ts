import { isDeepStrictEqual } from "node:util";
import type {
  BulkChange,
  BulkEdit,
  BulkGroup,
  BulkPreview,
  BulkReason,
} from "@portal/contract/entities/bulk-change";
import { limits } from "@portal/contract/limits";
import { smsSegments } from "@portal/contract/sms-segments";
import { violatedConstraint } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { recordAudit } from "../activity/service.ts";
import { scopeOf } from "../leads/policy.ts";
import {
  type Asked,
  type BulkContext,
  changeFields,
  checkEdit,
  judgeLeads,
  queueSms,
} from "./change-leads.ts";

import {
  type ChangeRow,
  findChange,
  findChangeByRef,
  insertChange,
  type ListedChange,
  listChanges,
  listGroups,
} from "./repository.ts";

function wordsOf(edit: BulkEdit, salesRepName: string | null): string {
  switch (edit.kind) {
    case "status":
      return edit.status;
    case "priority":
      return edit.priority;
    case "assign":
      return salesRepName ?? "";
    case "text":
      return edit.message;
  }
}

/** A bulk change with the results of its leads; leads that do not exist have no item and are counted here. */
function presentChange(row: ListedChange, groups: readonly BulkGroup[]): BulkChange {
  const { id, kind, edit, userName, salesRepName, at, state, waitsUntil, undoneAt, now } = row;
  const known = groups.reduce((sum, { count }) => sum + count, 0);
  const missing: BulkGroup[] =
    row.asked > known
      ? [{ state: "left_out", reason: "not_found", count: row.asked - known, leads: [] }]
      : [];
  const isYoung = now.getTime() - at.getTime() < limits.bulkUndoHours * 3_600_000;
  return {
    id,
    kind,
    value: wordsOf(edit, salesRepName),
    userName,
    at: at.toISOString(),
    state,
    waitsMs: state === "undone" ? 0 : Math.max(0, waitsUntil.getTime() - now.getTime()),
    mayUndo: state !== "undone" && isYoung && groups.some((group) => /^(changed|waiting)$/.test(group.state)),
    undoneAt: undoneAt?.toISOString() ?? null,
    groups: [
      ...groups.map(({ state, reason, count, leads }) => ({ state, reason, count, leads })),
      ...missing,
    ],
  };
}

/** The number of names for each reason. */
const namesShown = 20;

/** What a bulk change would do; changes nothing. Errors: see the contract's `previewBulkChange`. */
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

/** Inserts the bulk change and applies everything that happens at once; returns its id. */
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

/** Applies a bulk change, once for each reference. Errors: see the contract's `createBulkChange`. */
export async function createChange(
  context: BulkContext,
  asked: Asked & { clientRef: string },
): Promise<BulkChange> {
  const id = await write(context, asked).catch((error: unknown) => {
    // Of two concurrent requests the second finds the result of the first.
    if (violatedConstraint(error) !== "bulk_changes_client_ref_unique") throw error;
    return write(context, asked);
  });
  return getChange(context, { actor: asked.actor, id });
}

/** One bulk change; consultants see only their own. Errors: `not_found`. */
export async function getChange(
  { database: { db } }: Pick<BulkContext, "database">,
  { actor, id }: { actor: AuthSession; id: number },
): Promise<BulkChange> {
  const row = await findChange(db, id, scopeOf(actor));
  if (!row) throw new AppError("not_found", "There is no such change.");
  return presentChange(row, await listGroups(db, [id]));
}

/** The bulk changes of the last day, newest first. */
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
