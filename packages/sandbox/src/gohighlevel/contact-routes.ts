import { randomUUID } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { newId } from "../ids.ts";
import { toE164 } from "../numbers.ts";
import { type SearchBody, searchContacts } from "./contact-search.ts";
import { presentContact, presentFound } from "./contact-views.ts";
import { applyWrite, checkWrite, emptyContact, isStringList, tag, type WriteBody } from "./contact-writes.ts";
import type { CrmData } from "./crm-data.ts";
import type { Contact } from "./entities.ts";
import { GhlError } from "./errors.ts";
import { beSlow, requireLocation } from "./guards.ts";
import type { Manners } from "./manners.ts";

type ById = { Params: { contactId: string } };
type Tagging = ById & { Body: { tags?: unknown } };

/** The routes under /contacts except notes. */
export function contactRoutes(app: FastifyInstance, data: CrmData, manners: Manners): void {
  app.post<{ Body: SearchBody | null }>("/contacts/search", async (request) => {
    const body = request.body ?? {};
    const { contacts, total } = searchContacts(data.contacts, body);
    requireLocation(body.locationId);
    await beSlow(manners, Number(body.pageLimit));
    return { contacts: contacts.map((found) => presentFound(found, manners)), total, traceId: randomUUID() };
  });

  app.get<{ Querystring: Record<string, string> }>("/contacts/search/duplicate", async ({ query }) => {
    requireLocation(query.locationId);
    if (!query.email && !query.number) throw new GhlError(400, "email or number is required");
    const contact = findDuplicate(data, query.email, query.number);
    return { contact: contact ? presentContact(contact) : null, traceId: randomUUID() };
  });

  app.post<{ Body: WriteBody | null }>("/contacts/", async (request, reply) => {
    const body = request.body ?? {};
    checkWrite(body, "create");
    requireLocation(body.locationId);
    return reply
      .code(201)
      .send({ contact: presentContact(createContact(data, body)), traceId: randomUUID() });
  });

  app.post<{ Body: WriteBody | null }>("/contacts/upsert", async (request) => {
    const body = request.body ?? {};
    checkWrite(body, "upsert");
    requireLocation(body.locationId);
    const known = body.createNewIfDuplicateAllowed
      ? undefined
      : findDuplicate(data, textOf(body.email), textOf(body.phone));
    const contact = known ? updateContact(data, known, body) : createContact(data, body);
    return { new: !known, contact: presentContact(contact), traceId: randomUUID() };
  });

  app.get<ById>("/contacts/:contactId", async (request) => ({
    contact: presentContact(requireContact(data, request.params.contactId)),
    traceId: randomUUID(),
  }));

  app.put<ById & { Body: WriteBody | null }>("/contacts/:contactId", async (request) => {
    const body = request.body ?? {};
    checkWrite(body, "update");
    const contact = updateContact(data, requireContact(data, request.params.contactId), data.keptOf(body));
    return { succeded: true, contact: presentContact(contact), traceId: randomUUID() };
  });

  app.delete<ById>("/contacts/:contactId", async (request) => {
    data.deleteContact(requireContact(data, request.params.contactId).id);
    return { succeded: true, traceId: randomUUID() };
  });

  app.post<Tagging>("/contacts/:contactId/tags", async (request, reply) => {
    const contact = requireContact(data, request.params.contactId);
    const given = requireTags(request.body?.tags);
    const added = given.filter((one) => !contact.tags.includes(one));
    const before = structuredClone(contact);
    contact.tags = [...contact.tags, ...added];
    data.changed(contact, before);
    return reply.code(201).send({ tags: contact.tags, tagsAdded: added, traceId: randomUUID() });
  });

  app.delete<Tagging>("/contacts/:contactId/tags", async (request) => {
    const contact = requireContact(data, request.params.contactId);
    const given = requireTags(request.body?.tags);
    const removed = contact.tags.filter((one) => given.includes(one));
    const before = structuredClone(contact);
    contact.tags = contact.tags.filter((one) => !given.includes(one));
    data.changed(contact, before);
    return { tags: contact.tags, tagsRemoved: removed, traceId: randomUUID() };
  });
}

/** Errors: `GhlError` 400, which the vendor returns for an unknown id. */
export function requireContact(data: CrmData, id: string): Contact {
  const contact = data.contacts.get(id);
  if (!contact || contact.raw !== undefined) throw new GhlError(400, `Contact with id ${id} not found`);
  return contact;
}

export function createContact(data: CrmData, body: WriteBody): Contact {
  const contact = emptyContact(newId(), new Date().toISOString());
  applyWrite(contact, body, data.customFields.values());
  data.created(contact);
  return contact;
}

/** Changes the fields of a contact that are not dropped. */
export function updateContact(data: CrmData, contact: Contact, body: WriteBody): Contact {
  const before = structuredClone(contact);
  applyWrite(contact, body, data.customFields.values());
  data.changed(contact, before);
  return contact;
}

function findDuplicate(data: CrmData, email?: string, number?: string): Contact | undefined {
  const wanted = email?.toLowerCase();
  const byEmail = wanted
    ? data.contacts.inOrder("dateAdded").find((contact) => contact.email?.toLowerCase() === wanted)
    : undefined;
  if (byEmail || !number) return byEmail;
  return data.contacts.findByPhone(toE164(number) ?? number);
}

function requireTags(tags: unknown): string[] {
  if (!isStringList(tags))
    throw new GhlError(422, ["each value in tags must be a string", "tags must be an array"]);
  return tags.map(tag);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
