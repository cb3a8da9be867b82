import type { FastifyInstance } from "fastify";
import { createContact, requireContact, updateContact } from "../gohighlevel/contact-routes.ts";
import { emptyContact } from "../gohighlevel/contact-writes.ts";
import type { CallMessage, Contact } from "../gohighlevel/entities.ts";
import { idFor, newId } from "../ids.ts";
import type { Sandbox } from "../sandbox.ts";
import { bodyOf, ControlError, numberIn } from "./input.ts";

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

/** Contacts as someone would change them in GHL itself. */
export function crmControl(app: FastifyInstance, sandbox: Sandbox): void {
  const { crm, crmHooks, rateLimit } = sandbox;

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

  app.post("/control/ghl/drop-fields", async (request) => {
    const body = bodyOf(request);
    const { fields } = body;
    if (!Array.isArray(fields)) throw new ControlError("fields must be a list of names");
    crm.drop = { fields: fields.map(String), count: numberIn(body, "count", 1) };
    return crm.drop;
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
