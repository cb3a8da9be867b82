import type { Store, Table } from "../state/store.ts";
import type { Contact } from "./entities.ts";

export type DateField = "dateAdded" | "dateUpdated";

/** A position in a sorted list: milliseconds, then the id. */
export type Position = [time: number, id: string];

export function positionOf(contact: Contact, field: DateField): Position {
  return [Date.parse(contact[field]), contact.id];
}

function comparePositions(a: Position, b: Position): number {
  return a[0] - b[0] || (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0);
}

interface Entry {
  position: Position;
  contact: Contact;
}

/** The contacts in both date orders, so that a page of 100,000 contacts needs no sorting. */
export class ContactBook {
  readonly #table: Table<Contact>;
  readonly #order: Record<DateField, Entry[]> = { dateAdded: [], dateUpdated: [] };
  /** Results of `findByPhone` since the last change. */
  readonly #byPhone = new Map<string, Contact | undefined>();
  readonly #counts = new Map<string, number>();

  constructor(store: Store) {
    this.#table = store.table<Contact>("contacts");
    this.#sortAll();
  }

  get size(): number {
    return this.#table.size;
  }

  get(id: string): Contact | undefined {
    return this.#table.get(id);
  }

  /** The contacts by date, oldest first. */
  inOrder(field: DateField): Contact[] {
    return this.#order[field].map((entry) => entry.contact);
  }

  /** The oldest contact with this number. */
  findByPhone(number: string): Contact | undefined {
    if (!this.#byPhone.has(number)) {
      const entry = this.#order.dateAdded.find(({ contact }) => contact.phone === number);
      this.#byPhone.set(number, entry?.contact);
    }
    return this.#byPhone.get(number);
  }

  /** Number of contacts that pass; computed once for a `name` until a contact changes. */
  count(name: string, passes: (contact: Contact) => boolean): number {
    const known = this.#counts.get(name);
    if (known !== undefined) return known;
    const count = this.#order.dateAdded.filter(({ contact }) => passes(contact)).length;
    this.#counts.set(name, count);
    return count;
  }

  /** Iterates over the contacts by date from just after `after`, or from the start. */
  *walk(field: DateField, direction: "asc" | "desc", after?: Position): Generator<Contact> {
    const entries = this.#order[field];
    if (direction === "asc") {
      const start = after ? firstIndex(entries, after, true) : 0;
      for (let index = start; index < entries.length; index += 1) yield (entries[index] as Entry).contact;
    } else {
      const start = after ? firstIndex(entries, after, false) : entries.length;
      for (let index = start - 1; index >= 0; index -= 1) yield (entries[index] as Entry).contact;
    }
  }

  /** Adds or replaces a contact. */
  save(contact: Contact): void {
    this.#unlist(contact.id);
    this.#table.set(contact.id, contact);
    this.#forgetAnswers();
    for (const field of ["dateAdded", "dateUpdated"] as const) {
      const entry = { position: positionOf(contact, field), contact };
      this.#order[field].splice(firstIndex(this.#order[field], entry.position, false), 0, entry);
    }
  }

  /** Adds many new contacts at once. */
  addAll(contacts: Contact[]): void {
    for (const contact of contacts) this.#table.set(contact.id, contact);
    this.#sortAll();
  }

  delete(id: string): boolean {
    this.#unlist(id);
    this.#forgetAnswers();
    return this.#table.delete(id);
  }

  clear(): void {
    this.#table.clear();
    this.#sortAll();
  }

  #forgetAnswers(): void {
    this.#byPhone.clear();
    this.#counts.clear();
  }

  /** The positions are copies, so that a contact that was changed in place is still found at its old position. */
  #unlist(id: string): void {
    if (!this.#table.get(id)) return;
    for (const field of ["dateAdded", "dateUpdated"] as const) {
      const entries = this.#order[field];
      const index = entries.findIndex((entry) => entry.position[1] === id);
      if (index >= 0) entries.splice(index, 1);
    }
  }

  #sortAll(): void {
    this.#forgetAnswers();
    for (const field of ["dateAdded", "dateUpdated"] as const) {
      this.#order[field] = this.#table
        .values()
        .map((contact) => ({ position: positionOf(contact, field), contact }))
        .sort((a, b) => comparePositions(a.position, b.position));
    }
  }
}

/** Index of the first entry at or (when `past`) after `position`. */
function firstIndex(entries: Entry[], position: Position, past: boolean): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = comparePositions((entries[middle] as Entry).position, position);
    if (order < 0 || (past && order === 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}
