import type { Store, Table } from "../state/store.ts";
import { ContactBook } from "./contact-book.ts";
import { callEvent, changeTypes, contactEvent, noteEvent } from "./contact-events.ts";
import type { CallMessage, Contact, Conversation, CustomField, Note } from "./entities.ts";
import type { CrmHooks } from "./hooks.ts";
import { buildSeed, generateContacts } from "./seed.ts";

/** Properties that the next writes ignore without an error, as the vendor sometimes does. */
interface SilentDrop {
  fields: string[];
  count: number;
}

/** All data of the simulated HighLevel location. */
export class CrmData {
  readonly contacts: ContactBook;
  readonly customFields: Table<CustomField>;
  readonly notes: Table<Note>;
  readonly conversations: Table<Conversation>;
  readonly messages: Table<CallMessage>;
  drop: SilentDrop = { fields: [], count: 0 };
  readonly #store: Store;
  readonly #hooks: CrmHooks;
  readonly #generated: Table<{ count: number }>;

  constructor(store: Store, hooks: CrmHooks) {
    this.#store = store;
    this.#hooks = hooks;
    this.contacts = new ContactBook(store);
    this.customFields = store.table<CustomField>("custom-fields");
    this.notes = store.table<Note>("notes");
    this.conversations = store.table<Conversation>("conversations");
    this.messages = store.table<CallMessage>("messages");
    this.#generated = store.table<{ count: number }>("generated");
  }

  /** Resets the data to `leads` realistic contacts. */
  seed(leads: number): void {
    this.fill({ ...buildSeed(leads, Date.now()), notes: [] });
  }

  /** Replaces the data by these contacts with their notes and calls. */
  fill(seed: {
    contacts: Contact[];
    customFields: CustomField[];
    notes: Note[];
    messages: CallMessage[];
  }): void {
    this.#store.transaction(() => {
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
      for (const note of seed.notes) this.notes.set(note.id, note);
      for (const message of seed.messages) {
        const { conversationId, contactId } = message;
        this.conversations.set(conversationId, { id: conversationId, contactId });
        this.messages.set(message.id, message);
      }
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

  /** A contact was created, or changed from `before`: saves it with a later date of change and sends the events. */
  changed(contact: Contact, before: Contact): void {
    const types = changeTypes(before, contact);
    this.touch(contact);
    for (const type of types)
      this.#hooks.send(type, contact.id, contactEvent(contact, type === "ContactDndUpdate"));
  }

  created(contact: Contact): void {
    this.contacts.save(contact);
    this.#hooks.send("ContactCreate", contact.id, contactEvent(contact));
  }

  saveNote(note: Note, type: "NoteCreate" | "NoteUpdate"): void {
    this.notes.set(note.id, note);
    this.#hooks.send(type, note.contactId, noteEvent(note));
  }

  deleteNote(note: Note): void {
    this.notes.delete(note.id);
    this.#hooks.send("NoteDelete", note.contactId, noteEvent(note));
  }

  /** Adds a call that has just ended. */
  addCall(call: CallMessage): void {
    if (!this.conversations.get(call.conversationId))
      this.conversations.set(call.conversationId, { id: call.conversationId, contactId: call.contactId });
    this.messages.set(call.id, call);
    const type = call.direction === "inbound" ? "InboundMessage" : "OutboundMessage";
    this.#hooks.send(type, call.contactId, callEvent(call));
  }

  /** The part of a write that is stored, with custom fields by their keys: all of it, unless a test drops some. */
  keptOf(body: Record<string, unknown>): Record<string, unknown> {
    if (this.drop.count <= 0) return body;
    this.drop.count -= 1;
    const { fields } = this.drop;
    const kept = Object.fromEntries(Object.entries(body).filter(([name]) => !fields.includes(name)));
    if (!Array.isArray(kept.customFields)) return kept;
    const dropped = (written: { id?: unknown }) =>
      fields.includes(this.customFields.get(String(written.id))?.fieldKey.replace("contact.", "") ?? "");
    return { ...kept, customFields: kept.customFields.filter((written) => !dropped(written)) };
  }

  /** Saves a changed contact with a later date of change. */
  touch(contact: Contact): void {
    const last = Date.parse(contact.dateUpdated) || 0;
    contact.dateUpdated = new Date(Math.max(Date.now(), last + 1)).toISOString();
    this.contacts.save(contact);
  }

  deleteContact(id: string): boolean {
    const contact = this.contacts.get(id);
    if (contact) this.#hooks.send("ContactDelete", id, contactEvent(contact));
    return this.#store.transaction(() => {
      for (const note of this.notes.values()) if (note.contactId === id) this.notes.delete(note.id);
      return this.contacts.delete(id);
    });
  }
}
