import { type ContactBook, type DateField, type Position, positionOf } from "./contact-book.ts";
import type { Contact } from "./entities.ts";
import { GhlError } from "./errors.ts";

export interface Filter {
  field?: string;
  operator?: string;
  value?: unknown;
  group?: "AND" | "OR";
  filters?: Filter[];
}

export interface SearchBody {
  locationId?: unknown;
  pageLimit?: unknown;
  page?: unknown;
  searchAfter?: unknown;
  query?: unknown;
  filters?: unknown;
  sort?: unknown;
}

interface Order {
  field: DateField;
  direction: "asc" | "desc";
}

export interface FoundContact {
  contact: Contact;
  searchAfter: Position;
}

/** Only the first 10,000 results can be reached by page number. */
const PAGED_RESULTS = 10_000;

/**
 * One page of `POST /contacts/search` and the number of all matches.
 * Errors: `GhlError` 422 for a body the vendor refuses, 400 past the first 10,000 by page number.
 */
export function searchContacts(
  book: ContactBook,
  body: SearchBody,
): { contacts: FoundContact[]; total: number } {
  checkBody(body);
  const limit = body.pageLimit as number;
  const order = orderOf(body.sort);
  const matches = matcherOf(body);
  const after = body.searchAfter as Position | undefined;
  const skip = after ? 0 : ((body.page as number | undefined) ?? 1) * limit - limit;
  if (skip + limit > PAGED_RESULTS) {
    throw new GhlError(400, "Only the first 10000 records can be fetched by page. Use searchAfter.");
  }
  const found: Contact[] = [];
  let passed = 0;
  for (const contact of book.walk(order.field, order.direction, after)) {
    if (!matches(contact)) continue;
    passed += 1;
    if (passed > skip) found.push(contact);
    if (found.length === limit) break;
  }
  const unfiltered = !body.query && !body.filters;
  return {
    contacts: found.map((contact) => ({ contact, searchAfter: positionOf(contact, order.field) })),
    total: unfiltered ? book.size : book.inOrder(order.field).filter(matches).length,
  };
}

function checkBody(body: SearchBody): void {
  const faults: string[] = [];
  if (typeof body.locationId !== "string") faults.push("locationId must be a string");
  const limit = body.pageLimit;
  if (typeof limit !== "number" || !Number.isInteger(limit)) faults.push("pageLimit must be a number");
  else if (limit < 1 || limit > 500) faults.push("pageLimit must not be greater than 500");
  if (body.page !== undefined && (typeof body.page !== "number" || body.page < 1)) {
    faults.push("page must not be less than 1");
  }
  if (body.page !== undefined && body.searchAfter !== undefined) {
    faults.push("page and searchAfter cannot be used together");
  }
  if (body.searchAfter !== undefined && !isPosition(body.searchAfter)) faults.push("searchAfter is invalid");
  if (typeof body.query === "string" && body.query.length > 75) {
    faults.push("query must be shorter than or equal to 75 characters");
  }
  if (body.filters !== undefined && !Array.isArray(body.filters)) faults.push("filters must be an array");
  if (faults.length > 0) throw new GhlError(422, faults);
}

function isPosition(value: unknown): value is Position {
  return Array.isArray(value) && typeof value[0] === "number" && typeof value[1] === "string";
}

function orderOf(sort: unknown): Order {
  const first = (Array.isArray(sort) ? sort[0] : undefined) as
    | { field?: string; direction?: string }
    | undefined;
  if (!first) return { field: "dateAdded", direction: "desc" };
  if (first.field !== "dateAdded" && first.field !== "dateUpdated") {
    throw new GhlError(422, [`sort by ${first.field} is not supported`]);
  }
  return { field: first.field, direction: first.direction === "asc" ? "asc" : "desc" };
}

function matcherOf(body: SearchBody): (contact: Contact) => boolean {
  const text = typeof body.query === "string" ? body.query.trim().toLowerCase() : "";
  const filters = (body.filters ?? []) as Filter[];
  return (contact) =>
    (text === "" || searchText(contact).includes(text)) && filters.every((filter) => passes(contact, filter));
}

function searchText(contact: Contact): string {
  const { firstName, lastName, email, phone, companyName } = contact;
  return [firstName, lastName, email, phone, companyName].filter(Boolean).join(" ").toLowerCase();
}

function passes(contact: Contact, filter: Filter): boolean {
  if (filter.group) {
    const parts = filter.filters ?? [];
    return filter.group === "OR"
      ? parts.some((part) => passes(contact, part))
      : parts.every((part) => passes(contact, part));
  }
  const value = fieldOf(contact, filter.field ?? "");
  const wanted = filter.value;
  switch (filter.operator) {
    case "eq":
      return [wanted].flat().some((one) => has(value, one));
    case "not_eq":
      return ![wanted].flat().some((one) => has(value, one));
    case "contains":
      return text(value).includes(text(wanted));
    case "not_contains":
      return !text(value).includes(text(wanted));
    case "exists":
      return !isEmpty(value);
    case "not_exists":
      return isEmpty(value);
    case "range":
      return inRange(value, wanted as Record<string, unknown> | undefined);
    default:
      throw new GhlError(422, [`operator ${filter.operator} is not supported`]);
  }
}

function fieldOf(contact: Contact, field: string): unknown {
  if (field.startsWith("customFields.")) {
    const id = field.slice("customFields.".length);
    return contact.customFields.find((custom) => custom.id === id)?.value;
  }
  return contact[field as keyof Contact];
}

function has(value: unknown, wanted: unknown): boolean {
  return [value].flat().some((one) => text(one) === text(wanted));
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

/** `gt` and `lt` leave the bound out, `gte`, `lte`, `from` and `to` take it in. */
function inRange(value: unknown, range: Record<string, unknown> = {}): boolean {
  const at = moment(value);
  if (at === null) return false;
  const bound = (name: string) => moment(range[name]);
  const [gt, lt] = [bound("gt"), bound("lt")];
  const low = bound("gte") ?? bound("from");
  const high = bound("lte") ?? bound("to");
  return (
    (gt === null || at > gt) &&
    (lt === null || at < lt) &&
    (low === null || at >= low) &&
    (high === null || at <= high)
  );
}

function moment(value: unknown): number | null {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || value === "") return null;
  const number = Number(value);
  const time = Number.isNaN(number) ? Date.parse(value) : number;
  return Number.isNaN(time) ? null : time;
}
