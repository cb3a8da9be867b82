import type { BulkChange, BulkEdit, BulkGroup } from "@portal/contract/entities/bulk-change";
import { limits } from "@portal/contract/limits";
import type { ListedChange } from "./repository.ts";

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

/** An act with what became of its leads; those that do not exist have no item and are counted here. */
export function presentChange(row: ListedChange, groups: readonly BulkGroup[]): BulkChange {
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
