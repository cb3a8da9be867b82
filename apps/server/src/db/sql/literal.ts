import pg from "pg";

/** A value as a part of SQL text, for the few statements that take no values beside it. */
export function literal(value: unknown): string {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (typeof value === "string") return pg.escapeLiteral(value);
  if (Array.isArray(value)) return `array[${value.map(literal).join(", ")}]`;
  throw new Error(`no literal of a ${typeof value}`);
}
