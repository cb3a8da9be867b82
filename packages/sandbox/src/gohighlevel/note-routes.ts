import type { FastifyInstance } from "fastify";
import { newId } from "../ids.ts";
import { requireContact } from "./contact-routes.ts";
import type { CrmData } from "./crm-data.ts";
import type { Note } from "./entities.ts";
import { GhlError } from "./errors.ts";

type OfContact = { Params: { contactId: string } };
type OneNote = { Params: { contactId: string; id: string } };
type NoteBody = { Body: { body?: unknown; userId?: string; title?: string } | null };

/** The notes of a contact, newest first. */
export function noteRoutes(app: FastifyInstance, data: CrmData): void {
  app.get<OfContact>("/contacts/:contactId/notes", async (request) => {
    const { id } = requireContact(data, request.params.contactId);
    const notes = data.notes.values().filter((note) => note.contactId === id);
    return { notes: notes.reverse() };
  });

  app.post<OfContact & NoteBody>("/contacts/:contactId/notes", async (request, reply) => {
    const contact = requireContact(data, request.params.contactId);
    const { userId, title } = request.body ?? {};
    const body = requireText(request.body?.body);
    const note: Note = {
      id: newId(),
      contactId: contact.id,
      body,
      userId,
      title,
      dateAdded: new Date().toISOString(),
    };
    data.saveNote(note, "NoteCreate");
    return reply.code(201).send({ note });
  });

  app.get<OneNote>("/contacts/:contactId/notes/:id", async (request) => ({
    note: requireNote(data, request.params),
  }));

  app.put<OneNote & NoteBody>("/contacts/:contactId/notes/:id", async (request) => {
    const note = requireNote(data, request.params);
    const { userId, title } = request.body ?? {};
    const body = request.body?.body;
    if (body !== undefined && "note" in data.keptOf({ note: body }))
      Object.assign(note, { body: requireText(body), bodyText: undefined });
    if (userId !== undefined) note.userId = userId;
    if (title !== undefined) note.title = title;
    data.saveNote(note, "NoteUpdate");
    return { note };
  });

  app.delete<OneNote>("/contacts/:contactId/notes/:id", async (request) => {
    data.deleteNote(requireNote(data, request.params));
    return { succeded: true };
  });
}

function requireNote(data: CrmData, params: { contactId: string; id: string }): Note {
  const contact = requireContact(data, params.contactId);
  const note = data.notes.get(params.id);
  if (!note || note.contactId !== contact.id) throw new GhlError(404, `Note with id ${params.id} not found`);
  return note;
}

function requireText(body: unknown): string {
  if (typeof body !== "string" || body === "") {
    throw new GhlError(422, ["body should not be empty", "body must be a string"]);
  }
  return body;
}
