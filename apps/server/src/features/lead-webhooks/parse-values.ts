import { hash } from "node:crypto";

/** A sender's fields by its own names. */
export type Fields = Record<string, unknown>;

/** One event of a delivery, as its sender's reader understands it. */
export type DeliveryEvent = {
  /** What makes it unique at the sender, or null where the sender gives nothing. */
  key: string | null;
  /** The record at the sender, where it has an id of its own. */
  externalId: string | null;
} /** A whole contact as it was at an instant in ms; null where the sender names none. */ & (
  | { kind: "contact"; fields: Fields; at: number | null }
  /** Single properties of a record, changed at an instant in ms; none where only the id came. '' took a value away there. */
  | { kind: "properties"; fields: Fields; at: number }
  | { kind: "ignored"; reason: string }
  | { kind: "rejected"; reason: string }
);

/** The events of a body, or why it cannot be read at all. */
export type ReadBody = { events: DeliveryEvent[] } | { fault: string };

export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text of at most so many characters, none of them halved by the cut. */
export function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "");
}

/** An id as senders write it, number or text, or null. */
export function idOf(value: unknown): string | null {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return typeof value === "string" && value.trim() !== "" ? cut(value.trim(), 100) : null;
}

/** An instant in ms as senders write it: ms or seconds, as a number or in digits, or ISO 8601; null for anything else. */
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

/** A key of fixed length from whatever a sender calls unique. */
export function keyOf(...parts: unknown[]): string {
  return hash("sha256", JSON.stringify(parts));
}
