import { z } from "zod";
import type { Crm } from "../../ports/crm.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import type { Client } from "./client.ts";
import { noteText } from "./note-text.ts";
import { notesSchema, oneNoteSchema } from "./schemas.ts";

/** By its title a note is known for the portal's where its id was lost: there is no idempotency key. */
const title = "Lead Desk";

function isGone(error: unknown): boolean {
  return error instanceof ProviderError && error.kind === "not-found";
}

/** The one note of a contact that holds the lead's notes (docs: apps/contacts, notes). */
export function createNotes({ ask }: Client): Pick<Crm, "readNote" | "saveNote" | "removeNote"> {
  async function update(contactId: string, id: string, body: string): Promise<boolean> {
    try {
      await ask({
        send: (sdk, request) => sdk.contacts.updateNote({ contactId, id }, { body }, request),
        schema: z.unknown(),
        tries: 1,
      });
      return true;
    } catch (error) {
      if (isGone(error)) return false;
      throw error;
    }
  }

  /** The note that the portal wrote before: its answer may have been lost. */
  async function findOurs(contactId: string): Promise<string | null> {
    const { notes } = await ask({
      send: (sdk, request) => sdk.contacts.getAllNotes({ contactId }, request),
      schema: notesSchema,
      tries: 1,
    });
    return notes.find((note) => note.title === title)?.id ?? null;
  }

  return {
    async readNote(contactId, noteId) {
      const { note } = await ask({
        send: (sdk, request) => sdk.contacts.getNote({ contactId, id: noteId }, request),
        schema: oneNoteSchema,
        tries: 1,
      });
      const body = note.body ?? note.bodyText ?? "";
      return { body, text: noteText(body) };
    },

    async saveNote(contactId, { noteId, body }) {
      if (noteId !== null && (await update(contactId, noteId, body))) return noteId;
      const ours = await findOurs(contactId);
      if (ours !== null && ours !== noteId && (await update(contactId, ours, body))) return ours;
      const { note } = await ask({
        send: (sdk, request) => sdk.contacts.createNote({ contactId }, { title, body }, request),
        schema: oneNoteSchema,
        tries: 1,
      });
      return note.id;
    },

    async removeNote(contactId, noteId) {
      try {
        await ask({
          send: (sdk, request) => sdk.contacts.deleteNote({ contactId, id: noteId }, request),
          schema: z.unknown(),
          tries: 1,
        });
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    },
  };
}
