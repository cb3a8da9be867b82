import type { Store, Table } from "../state/store.ts";
import { ContactBook } from "./contact-book.ts";
import type { CallMessage, Contact, Conversation, CustomField, Note } from "./entities.ts";
import { buildSeed, generateContacts } from "./seed.ts";

/** Everything the simulated HighLevel location holds. */
export class CrmData {
  readonly contacts: ContactBook;
  readonly customFields: Table<CustomField>;
  readonly notes: Table<Note>;
  readonly conversations: Table<Conversation>;
  readonly messages: Table<CallMessage>;
  readonly #store: Store;
  readonly #generated: Table<{ count: number }>;

  constructor(store: Store) {
    this.#store = store;
    this.contacts = new ContactBook(store);
    this.customFields = store.table<CustomField>("custom-fields");
    this.notes = store.table<Note>("notes");
    this.conversations = store.table<Conversation>("conversations");
    this.messages = store.table<CallMessage>("messages");
    this.#generated = store.table<{ count: number }>("generated");
  }

  /** Back to the first day: `leads` believable contacts and nothing else. */
  seed(leads: number): void {
    this.#store.transaction(() => {
      const seed = buildSeed(leads, Date.now());
      this.contacts.clear();
      for (const table of [
        this.customFields,
        this.notes,
        this.conversations,
        this.messages,
        this.#generated,
      ]) {
        table.clear();
      }
      this.contacts.addAll(seed.contacts);
      for (const field of seed.customFields) this.customFields.set(field.id, field);
      for (const conversation of seed.conversations) this.conversations.set(conversation.id, conversation);
      for (const message of seed.messages) this.messages.set(message.id, message);
    });
  }

  /** Adds `count` more contacts with numbers of their own. */
  generate(count: number): void {
    this.#store.transaction(() => {
      const from = this.#generated.get("contacts")?.count ?? 0;
      this.contacts.addAll(generateContacts(from, count, Date.now()));
      this.#generated.set("contacts", { count: from + count });
    });
  }

  /** Saves a changed contact with a later date of change. */
  touch(contact: Contact): void {
    const last = Date.parse(contact.dateUpdated) || 0;
    contact.dateUpdated = new Date(Math.max(Date.now(), last + 1)).toISOString();
    this.contacts.save(contact);
  }

  deleteContact(id: string): boolean {
    return this.#store.transaction(() => {
      for (const note of this.notes.values()) if (note.contactId === id) this.notes.delete(note.id);
      return this.contacts.delete(id);
    });
  }
}
