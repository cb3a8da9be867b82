import type { FastifyInstance } from "fastify";
import { createContact, requireContact, updateContact } from "../gohighlevel/contact-routes.ts";
import { emptyContact } from "../gohighlevel/contact-writes.ts";
import type { CallMessage, Contact, Note } from "../gohighlevel/entities.ts";
import { USUAL_MANNERS } from "../gohighlevel/manners.ts";
import { idFor, newId } from "../ids.ts";
import type { Sandbox } from "../sandbox.ts";
import { bodyOf, ControlError, numberIn, textIn } from "./input.ts";

type ById = { Params: { id: string } };

const MALFORMED = {
  id: 12345,
  firstName: { first: "Broken" },
  email: ["not", "an", "address"],
  phone: 555,
  tags: "hot",
  dnd: "maybe",
  dateAdded: "yesterday",
  customFields: "none",
};
const GENERATE_LIMIT = 150_000;

/** Changes of contacts as made by users in GHL itself. */
export function crmControl(app: FastifyInstance, sandbox: Sandbox): void {
  const { crm, crmHooks, crmManners, rateLimit } = sandbox;

  app.get("/control/ghl/contacts", async () => ({
    total: crm.contacts.size,
    contacts: crm.contacts.inOrder("dateAdded"),
  }));

  app.post("/control/ghl/contacts", async (request, reply) =>
    reply.code(201).send(createContact(crm, bodyOf(request))),
  );

  app.patch<ById>("/control/ghl/contacts/:id", async (request) => {
    const contact = requireContact(crm, request.params.id);
    const { customFields, dateUpdated, ...body } = bodyOf(request);
    updateContact(crm, contact, { ...body, customFields });
    if (typeof dateUpdated === "string") crm.contacts.save(Object.assign(contact, { dateUpdated }));
    return contact;
  });

  app.delete<ById>("/control/ghl/contacts/:id", async (request) => ({
    removed: crm.deleteContact(request.params.id),
  }));

  app.post("/control/ghl/garbage", async (request, reply) => {
    const body = bodyOf(request);
    const now = new Date().toISOString();
    const contact: Contact = {
      ...emptyContact(newId(), now),
      raw: "contact" in body ? body.contact : MALFORMED,
    };
    crm.contacts.save(contact);
    return reply.code(201).send({ id: contact.id, contact: contact.raw });
  });

  app.post("/control/ghl/generate", async (request) => {
    const count = numberIn(bodyOf(request), "count", 0);
    if (!Number.isInteger(count) || count > GENERATE_LIMIT) {
      throw new ControlError(`count must be a whole number up to ${GENERATE_LIMIT}`);
    }
    crm.generate(count);
    return { total: crm.contacts.size };
  });

  app.post("/control/ghl/rate-limit", async (request) => {
    const body = bodyOf(request);
    const { enabled = rateLimit.enabled } = body;
    if (typeof enabled !== "boolean") throw new ControlError("enabled must be true or false");
    rateLimit.enabled = enabled;
    rateLimit.reset();
    if (body.dailyRemaining !== undefined) rateLimit.leave(numberIn(body, "dailyRemaining", 0));
    return { enabled };
  });

  app.post("/control/ghl/webhook", async (request) => {
    const { url } = bodyOf(request);
    if (url !== null && (typeof url !== "string" || !URL.canParse(url)))
      throw new ControlError("url must be an address, or null");
    crmHooks.url = url;
    return { url: crmHooks.url };
  });

  app.get("/control/ghl/webhook", async () => {
    const { url, waiting, refused } = crmHooks;
    return { url, waiting, refused };
  });

  app.post("/control/ghl/manners", async (request) => {
    const body = bodyOf(request);
    const changes: Record<string, unknown> = {};
    for (const [name, usual] of Object.entries(USUAL_MANNERS)) {
      if (body[name] === undefined) continue;
      if (typeof usual === "number") numberIn(body, name, 0);
      else if (Array.isArray(usual) !== Array.isArray(body[name]) || typeof usual !== typeof body[name])
        throw new ControlError(`${name} must be ${Array.isArray(usual) ? "a list" : "true or false"}`);
      changes[name] = body[name];
    }
    return Object.assign(crmManners, changes);
  });

  app.post("/control/ghl/drop-fields", async (request) => {
    const body = bodyOf(request);
    const { fields } = body;
    if (!Array.isArray(fields)) throw new ControlError("fields must be a list of names");
    crm.drop = { fields: fields.map(String), count: numberIn(body, "count", 1) };
    return crm.drop;
  });

  app.post<ById>("/control/ghl/contacts/:id/notes", async (request, reply) => {
    const contact = requireContact(crm, request.params.id);
    const body = bodyOf(request);
    const known = crm.notes.get(textIn(body, "id") ?? "");
    const note: Note = {
      dateAdded: new Date().toISOString(),
      ...known,
      id: known?.id ?? newId(),
      contactId: contact.id,
      body: textIn(body, "body") ?? "",
      bodyText: textIn(body, "bodyText"),
    };
    crm.saveNote(note, known ? "NoteUpdate" : "NoteCreate");
    return reply.code(201).send(note);
  });

  app.get<ById>("/control/ghl/contacts/:id/notes", async (request) => ({
    notes: crm.notes.values().filter(({ contactId }) => contactId === request.params.id),
  }));

  app.post<ById>("/control/ghl/contacts/:id/calls", async (request, reply) => {
    const contact = requireContact(crm, request.params.id);
    const body = bodyOf(request);
    const seconds = numberIn(body, "seconds", 30);
    const call: CallMessage = {
      id: newId(),
      conversationId: idFor(`conversation ${contact.id}`),
      contactId: contact.id,
      direction: body.direction === "inbound" ? "inbound" : "outbound",
      dateAdded: new Date().toISOString(),
      source: typeof body.userId === "string" ? "app" : "workflow",
      ...(typeof body.userId === "string" && { userId: body.userId }),
      callStatus: seconds > 0 ? "completed" : "no-answer",
      durationSeconds: seconds,
      hasRecording: seconds > 0,
    };
    crm.addCall(call);
    return reply.code(201).send(call);
  });
}
