import { hash } from "node:crypto";

/** A sender's fields by the sender's names. */
export type Fields = Record<string, unknown>;

/** One event of a delivery. */
export type DeliveryEvent = {
  /** A key that is unique at the sender, or null. */
  key: string | null;
  /** Id of the record at the sender, if it has one. */
  externalId: string | null;
} /** A whole contact at an instant in ms; null if the sender gives none. */ & (
  | { kind: "contact"; fields: Fields; at: number | null }
  /** Properties of a record that changed at an instant in ms; none if only the id came. '' means that a value was removed. */
  | { kind: "properties"; fields: Fields; at: number }
  | { kind: "ignored"; reason: string }
  | { kind: "rejected"; reason: string }
);

/** The events of a body, or why it cannot be parsed. */
export type ReadBody = { events: DeliveryEvent[] } | { fault: string };

export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text of at most this length, without cutting a surrogate pair. */
export function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "");
}

/** An id, number or text, or null. */
export function idOf(value: unknown): string | null {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return typeof value === "string" && value.trim() !== "" ? cut(value.trim(), 100) : null;
}

/** An instant in ms from ms, seconds (number or digits) or ISO 8601; null for anything else. */
export function instantOf(value: unknown): number | null {
  if (typeof value !== "number" && typeof value !== "string") return null;
  const digits = typeof value === "string" && /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value;
  if (typeof digits === "string") {
    const at = Date.parse(digits);
    return Number.isNaN(at) ? null : at;
  }
  if (!Number.isFinite(digits) || digits <= 0) return null;
  return digits < 1e11 ? digits * 1000 : digits;
}

/** A key of fixed length from values that are unique together. */
export function keyOf(...parts: unknown[]): string {
  return hash("sha256", JSON.stringify(parts));
}
