import { finished } from "node:stream/promises";
import { from } from "pg-copy-streams";
import type { Tx } from "./client.ts";

const signs: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function cell(value: unknown): string {
  if (value === null || value === undefined) return "\\N";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return /[\\\t\n\r]/.test(text) ? text.replace(/[\\\t\n\r]/g, (sign) => signs[sign] ?? sign) : text;
}

/** Values as a line of COPY's text format, without its end: texts, numbers, null, objects as JSON. */
export function copyLine(values: unknown[]): string {
  return values.map(cell).join("\t");
}

/**
 * Copies lines, each with its line end, into a table: `into` names it and its columns. Triggers and constraints hold as for an insert.
 * Errors: those of the database; no row stays then.
 */
export async function copyRows(tx: Tx, into: string, lines: string[]): Promise<void> {
  const stream = tx.$client.query(from(`copy ${into} from stdin`));
  stream.end(lines.join(""));
  await finished(stream);
}
