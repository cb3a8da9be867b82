import { z } from "zod";
import { importFaultCodes } from "../import-faults.ts";

/** How far an import is; a failed one was given up and says why. */
export const importStates = ["running", "done", "failed"] as const;

/** What becomes of a row whose lead is there already: left as it is (as recorded), or the lead takes what the row says. */
export const duplicateRules = ["skip", "update"] as const;
export type DuplicateRule = (typeof duplicateRules)[number];

/** Figures of an import. */
export const importResultSchema = z.object({
  /** Leads made. */
  imported: z.number(),
  /** Rows that did not go in. */
  errors: z.number(),
  /** The first of them in words, at most 100; failed.csv has all. */
  details: z.object({ failed: z.array(z.string()) }),
  /** The same for programs: rows as a spreadsheet counts them (a file's header is its row 1), with the reasons by code. */
  failures: z.array(
    z.object({
      row: z.number(),
      faults: z.array(z.object({ code: z.enum(importFaultCodes), value: z.string().nullable() })),
    }),
  ),
  /** Leads that were there and took something from a row. */
  updated: z.number(),
  /** Rows whose lead was there already. */
  skipped: z.number(),
  /** Rows that went in, or are known leads that were compared, with a phone that cannot be called: it is kept as it came. */
  unreadablePhones: z.number(),
  total: z.number(),
  importId: z.number(),
  /** True while the figures are those so far. */
  running: z.boolean(),
  /** It was given up after several tries: what is done stays. */
  gaveUp: z.boolean(),
  message: z.string(),
});
export type ImportResult = z.infer<typeof importResultSchema>;

/** An import as the list of the last ones shows it. */
export const importSchema = importResultSchema.extend({
  state: z.enum(importStates),
  sourceSystem: z.string(),
  fileName: z.string().nullable(),
  /** Rows worked so far. */
  processed: z.number(),
  userName: z.string().nullable(),
  startedAt: z.string(),
  finishedAt: z.string().nullable(),
});
export type Import = z.infer<typeof importSchema>;
