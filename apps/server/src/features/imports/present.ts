import type { Import, ImportResult } from "@portal/contract/entities/import";
import { importFaultText } from "@portal/contract/import-faults";
import type { ImportView } from "./repository.ts";

/** Row number as a spreadsheet shows it: the header is row 1. */
export function rowNumber(row: number, hasHeader: boolean): number {
  return row + (hasHeader ? 2 : 1);
}

/** Phones that cannot be parsed or must not be dialed are stored as they came. */
function unreadablePhonesText(count: number): string {
  return count === 1
    ? "1 phone number cannot be called and was kept as it came."
    : `${count} phone numbers cannot be called and were kept as they came.`;
}

function messageOf({
  state,
  imported,
  skipped,
  updated,
  errors,
  position,
  total,
  unreadablePhones,
  message,
}: ImportView): string {
  if (state === "running") return `Importing: ${position} of ${total} rows so far.`;
  const parts = [
    `${imported} imported`,
    ...(updated > 0 ? [`${updated} updated`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(errors > 0 ? [`${errors} failed`] : []),
  ];
  const phones = unreadablePhones > 0 && unreadablePhonesText(unreadablePhones);
  return [message, `${parts.join(", ")}.`, phones].filter(Boolean).join(" ");
}

/** Presents the figures of an import. */
export function presentResult(row: ImportView): ImportResult {
  const failures = row.failed.map(({ row: at, reasons }) => ({
    row: rowNumber(at, row.columns !== null),
    faults: reasons,
  }));
  return {
    imported: row.imported,
    errors: row.errors,
    details: {
      failed: failures.map(({ row: at, faults }) => `Row ${at}: ${faults.map(importFaultText).join("; ")}`),
    },
    failures,
    updated: row.updated,
    skipped: row.skipped,
    unreadablePhones: row.unreadablePhones,
    total: row.total,
    importId: row.id,
    running: row.state === "running",
    gaveUp: row.state === "failed",
    message: messageOf(row),
  };
}

/** Presents an import for the list. */
export function presentImport(row: ImportView): Import {
  return {
    ...presentResult(row),
    state: row.state,
    sourceSystem: row.sourceSystem,
    fileName: row.fileName,
    processed: row.position,
    userName: row.userName,
    startedAt: row.startedAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}
