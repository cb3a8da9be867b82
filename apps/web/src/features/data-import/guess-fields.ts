import { type LeadField, leadFieldOf } from "@portal/contract/lead-headers";
import type { Look } from "./read-source.ts";

export type Mapping = Record<string, LeadField | null>;

/** A column of addresses under a header that nobody knows. */
function holdsEmails(samples: string[][], index: number): boolean {
  const values = samples.map((row) => row[index]?.trim() ?? "").filter(Boolean);
  return values.length > 0 && values.every((value) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value));
}

/** The field of each column: by its header, and where no header names the e-mail, by what the first rows hold. */
export function guessFields({ columns, samples }: Pick<Look, "columns" | "samples">): Mapping {
  const mapping: Mapping = Object.fromEntries(columns.map((column) => [column, leadFieldOf(column)]));
  if (!Object.values(mapping).includes("email")) {
    const index = columns.findIndex((column, at) => mapping[column] === null && holdsEmails(samples, at));
    const column = columns[index];
    if (column !== undefined) mapping[column] = "email";
  }
  return mapping;
}
