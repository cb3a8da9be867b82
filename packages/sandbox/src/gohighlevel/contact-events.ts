import { fullName } from "./contact-views.ts";
import type { CallMessage, Contact, Note } from "./entities.ts";

/** A contact in events: only fields that are set, and do-not-disturb by channel only if it changed (docs: webhook events). */
export function contactEvent(contact: Contact, withDndSettings = false): Record<string, unknown> {
  const { id, firstName, lastName, email, phone, companyName, address1, city, state, country, postalCode } =
    contact;
  const { source, assignedTo, website, dateOfBirth, tags, dnd, customFields, dateAdded } = contact;
  const fields = {
    id,
    firstName,
    lastName,
    name: fullName(contact),
    email,
    phone,
    companyName,
    address1,
    city,
    state,
    country,
    postalCode,
    source,
    assignedTo,
    website,
    dateOfBirth,
    tags,
    dnd,
    customFields,
    dateAdded,
    attachments: [],
    ...(withDndSettings && { dndSettings: contact.dndSettings }),
  };
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** Types of the events that a change of a contact causes. */
export function changeTypes(before: Contact, after: Contact): string[] {
  const differs = (pick: (contact: Contact) => unknown) =>
    JSON.stringify(pick(before)) !== JSON.stringify(pick(after));
  const others = ({ tags: _t, dnd: _d, dndSettings: _s, dateUpdated: _u, ...rest }: Contact) => rest;
  return [
    ...(differs(others) ? ["ContactUpdate"] : []),
    ...(differs(({ dnd, dndSettings }) => [dnd, dndSettings]) ? ["ContactDndUpdate"] : []),
    ...(differs(({ tags }) => tags) ? ["ContactTagUpdate"] : []),
  ];
}

export function noteEvent({ id, contactId, body, dateAdded }: Note): Record<string, unknown> {
  return { id, contactId, body, dateAdded };
}

/** A call in message events: flat, with `messageId` instead of `id`. */
export function callEvent(call: CallMessage): Record<string, unknown> {
  return {
    contactId: call.contactId,
    conversationId: call.conversationId,
    messageId: call.id,
    dateAdded: call.dateAdded,
    direction: call.direction,
    messageType: "CALL",
    source: call.source,
    status: call.callStatus,
    callStatus: call.callStatus,
    callDuration: call.durationSeconds,
    attachments: [],
    ...(call.userId ? { userId: call.userId } : {}),
  };
}
