import { type ContactBook, type DateField, type Position, positionOf } from "./contact-book.ts";
import { type Filter, type Predicate, predicateOf } from "./contact-filters.ts";
import type { Contact } from "./entities.ts";
import { GhlError } from "./errors.ts";

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
 * One page of `POST /contacts/search` and the number of all matches. Errors: `GhlError` 422 for a body that the vendor refuses, 400 beyond
 * the first 10,000 by page number.
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
  return {
    contacts: found.map((contact) => ({ contact, searchAfter: positionOf(contact, order.field) })),
    total: book.count(JSON.stringify([body.query, body.filters]), matches),
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

function matcherOf(body: SearchBody): Predicate {
  const text = typeof body.query === "string" ? body.query.trim().toLowerCase() : "";
  const filters = ((body.filters ?? []) as Filter[]).map(predicateOf);
  return (contact) =>
    (text === "" || searchText(contact).includes(text)) && filters.every((passes) => passes(contact));
}

function searchText(contact: Contact): string {
  const { firstName, lastName, email, phone, companyName } = contact;
  return [firstName, lastName, email, phone, companyName].filter(Boolean).join(" ").toLowerCase();
}
