import { finished } from "node:stream/promises";
import { from } from "pg-copy-streams";
import type { Tx } from "./client.ts";

const signs: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function cell(value: unknown): string {
  if (value === null || value === undefined) return "\\N";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return /[\\\t\n\r]/.test(text) ? text.replace(/[\\\t\n\r]/g, (sign) => signs[sign] ?? sign) : text;
}

/** Lines sent at once: texts of that length are gone again with the youngest garbage. */
const linesAtOnce = 100;

/**
 * Copies rows into a table: `into` names it and its columns, `values` answers a row's values for them: texts, numbers, null, objects as
 * JSON. `onSent` is called when they are on their way, and the database still writes. Triggers and constraints hold as for an insert.
 * Errors: those of the database; no row stays then.
 */
export async function copyRows<Row>(
  tx: Tx,
  into: string,
  {
    rows,
    values,
    onSent,
  }: { rows: Row[]; values: (row: Row, index: number) => unknown[]; onSent?: () => void },
): Promise<void> {
  const stream = tx.$client.query(from(`copy ${into} from stdin`));
  for (let at = 0; at < rows.length; at += linesAtOnce) {
    const lines = rows.slice(at, at + linesAtOnce).map(
      (row, index) =>
        `${values(row, at + index)
          .map(cell)
          .join("\t")}\n`,
    );
    stream.write(lines.join(""));
  }
  stream.end();
  onSent?.();
  await finished(stream);
}
