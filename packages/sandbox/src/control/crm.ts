import type { FastifyInstance } from "fastify";
import { createContact, requireContact } from "../gohighlevel/contact-routes.ts";
import { applyWrite, emptyContact } from "../gohighlevel/contact-writes.ts";
import type { Contact } from "../gohighlevel/entities.ts";
import { newId } from "../ids.ts";
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
  const { crm, rateLimit } = sandbox;

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
    applyWrite(contact, { ...body, customFields }, crm.customFields.values());
    if (typeof dateUpdated === "string") crm.contacts.save(Object.assign(contact, { dateUpdated }));
    else crm.touch(contact);
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
    const { enabled } = bodyOf(request);
    if (typeof enabled !== "boolean") throw new ControlError("enabled must be true or false");
    rateLimit.enabled = enabled;
    rateLimit.reset();
    return { enabled };
  });
}
