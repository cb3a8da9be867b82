/** A row of the table: displayed values, and whether the goal is met (null without a goal). */
export interface Row {
  work: string;
  ours: string;
  baseline: string;
  ratio: string;
  goal: string;
  isMet: boolean | null;
}

export const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The value below which this part of the values lies, 0 without any. */
export const quantile = (values: number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;

const heads: Row = {
  work: "work",
  ours: "ours",
  baseline: "baseline",
  ratio: "ratio",
  goal: "goal",
  isMet: null,
};

/** The rows as a table, with ✗ for a missed goal. */
export function tableOf(rows: Row[]): string {
  const columns = ["work", "ours", "baseline", "ratio", "goal"] as const;
  const all = [heads, ...rows];
  const widths = columns.map((column) => Math.max(...all.map((row) => row[column].length)));
  const line = (row: Row) =>
    columns.map((column, index) => {
      const width = widths[index] ?? 0;
      return index === 0 ? row[column].padEnd(width) : row[column].padStart(width);
    });
  return all.map((row) => `${line(row).join("  ")}${row.isMet === false ? "  ✗" : ""}`).join("\n");
}
