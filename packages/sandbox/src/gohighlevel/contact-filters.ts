import type { Contact } from "./entities.ts";
import { GhlError } from "./errors.ts";

/** One condition of `POST /contacts/search`, or a group of them. */
export interface Filter {
  field?: string;
  operator?: string;
  value?: unknown;
  group?: "AND" | "OR";
  filters?: Filter[];
}

export type Predicate = (contact: Contact) => boolean;

/**
 * Compiles a filter to a function, so that its bounds are parsed once. Errors: `GhlError` 422 for an operator that the vendor does not
 * support.
 */
export function predicateOf(filter: Filter): Predicate {
  if (filter.group) {
    const parts = (filter.filters ?? []).map(predicateOf);
    return filter.group === "OR"
      ? (contact) => parts.some((passes) => passes(contact))
      : (contact) => parts.every((passes) => passes(contact));
  }
  const field = filter.field ?? "";
  const passes = valuePredicate(filter);
  return (contact) => passes(fieldOf(contact, field));
}

function valuePredicate({ operator, value: wanted }: Filter): (value: unknown) => boolean {
  const words = text(wanted);
  const choices = new Set([wanted].flat().map(text));
  const isOneOf = (value: unknown) => [value].flat().some((one) => choices.has(text(one)));
  switch (operator) {
    case "eq":
      return isOneOf;
    case "not_eq":
      return (value) => !isOneOf(value);
    case "contains":
      return (value) => text(value).includes(words);
    case "not_contains":
      return (value) => !text(value).includes(words);
    case "exists":
      return (value) => !isEmpty(value);
    case "not_exists":
      return isEmpty;
    case "range":
      return rangePredicate(wanted as Record<string, unknown> | undefined);
    default:
      throw new GhlError(422, [`operator ${operator} is not supported`]);
  }
}

function fieldOf(contact: Contact, field: string): unknown {
  if (!field.startsWith("customFields.")) return contact[field as keyof Contact];
  const id = field.slice("customFields.".length);
  return contact.customFields.find((custom) => custom.id === id)?.value;
}

function text(value: unknown): string {
  return [value]
    .flat()
    .map((part) => String(part ?? ""))
    .join(" ")
    .toLowerCase();
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)
  );
}

/** `gt` and `lt` exclude the bound, `gte`, `lte`, `from` and `to` include it. */
function rangePredicate(range: Record<string, unknown> = {}): (value: unknown) => boolean {
  const above = moment(range.gt) ?? Number.NEGATIVE_INFINITY;
  const below = moment(range.lt) ?? Number.POSITIVE_INFINITY;
  const low = moment(range.gte) ?? moment(range.from) ?? Number.NEGATIVE_INFINITY;
  const high = moment(range.lte) ?? moment(range.to) ?? Number.POSITIVE_INFINITY;
  return (value) => {
    const at = moment(value);
    return at !== null && at > above && at < below && at >= low && at <= high;
  };
}

function moment(value: unknown): number | null {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || value === "") return null;
  const time = /^\d+$/.test(value) ? Number(value) : Date.parse(value);
  return Number.isNaN(time) ? null : time;
}
