import { z } from "zod";
import { importFaultCodes } from "../import-faults.ts";

/** State of an import. `failed`: it was aborted; the message says why. */
export const importStates = ["running", "done", "failed"] as const;

/** What happens to a row whose lead already exists: `skip` leaves the lead unchanged (as recorded), `update` applies the row's values. */
export const duplicateRules = ["skip", "update"] as const;
export type DuplicateRule = (typeof duplicateRules)[number];

/** Counts of an import. */
export const importResultSchema = z.object({
  /** Leads created. */
  imported: z.number(),
  /** Rows that failed. */
  errors: z.number(),
  /** Messages of the first failed rows, at most 100; failed.csv has all. */
  details: z.object({ failed: z.array(z.string()) }),
  /** The same in machine-readable form: row numbers as in a spreadsheet (a file's header is row 1), with the reason codes. */
  failures: z.array(
    z.object({
      row: z.number(),
      faults: z.array(z.object({ code: z.enum(importFaultCodes), value: z.string().nullable() })),
    }),
  ),
  /** Existing leads updated from a row. */
  updated: z.number(),
  /** Rows skipped because the lead already exists. */
  skipped: z.number(),
  /** Rows imported, or compared with an existing lead, whose phone number cannot be dialed. The number is stored as received. */
  unreadablePhones: z.number(),
  total: z.number(),
  importId: z.number(),
  /** True while the import runs and the counts are partial. */
  running: z.boolean(),
  /** The import was aborted after several attempts. Rows already imported are kept. */
  gaveUp: z.boolean(),
  message: z.string(),
});
export type ImportResult = z.infer<typeof importResultSchema>;

/** An import as listed among the last imports. */
export const importSchema = importResultSchema.extend({
  state: z.enum(importStates),
  sourceSystem: z.string(),
  fileName: z.string().nullable(),
  /** Rows processed so far. */
  processed: z.number(),
  userName: z.string().nullable(),
  startedAt: z.string(),
  finishedAt: z.string().nullable(),
});
export type Import = z.infer<typeof importSchema>;
