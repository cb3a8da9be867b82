import { z } from "zod";

const optional = <T extends z.ZodType>(schema: T) => schema.nullish().catch(null);
/** Texts; a number in place of a text becomes its digits. */
const loose = optional(z.union([z.string(), z.number().transform(String)]));

/** GET /locations/{id}. */
export const locationSchema = z.object({ location: optional(z.object({ companyId: z.string().min(1) })) });

/** GET /users/search and, without `count`, GET /users/ (docs: apps/users). */
export const usersSchema = z.object({
  count: optional(z.number()),
  users: z.array(
    z.object({
      id: z.string().min(1),
      name: loose,
      firstName: loose,
      lastName: loose,
      email: loose,
      deleted: optional(z.boolean()),
    }),
  ),
});

/** GET /locations/{id}/customFields?model=contact. */
export const customFieldsSchema = z.object({
  customFields: z.array(z.object({ id: z.string(), name: loose, fieldKey: loose })),
});

/** POST /locations/{id}/customFields. */
export const oneFieldSchema = z.object({ customField: z.object({ id: z.string().min(1) }) });

/** POST /contacts/search. The vendor does not document the response; each contact is validated separately. */
export const contactPageSchema = z.object({ contacts: z.array(z.unknown()) });

/** GET and PUT /contacts/{id}. */
export const oneContactSchema = z.object({ contact: z.unknown() });

const noteSchema = z.object({ id: z.string().min(1), title: loose, body: loose, bodyText: loose });

/** GET /contacts/{id}/notes. */
export const notesSchema = z.object({ notes: z.array(noteSchema) });

/** GET, POST and PUT of one note. */
export const oneNoteSchema = z.object({ note: noteSchema });

const dndSchema = optional(z.object({ status: optional(z.string()) }));

/** All do-not-disturb settings of a contact, to be sent back. */
export const dndSettingsSchema = z.object({
  dndSettings: z
    .record(
      z.string(),
      z.looseObject({ status: z.enum(["active", "inactive", "permanent"]).catch("inactive") }),
    )
    .nullish()
    .transform((settings) => settings ?? {})
    .catch({}),
});

/** A valid contact id. */
export const contactId = /^[\w-]{1,100}$/;

/** A contact in a search result or by itself. Invalid are only a missing id and a wrong type of an identifying field. */
export const contactSchema = z.object({
  id: z.string("has no id").regex(contactId, "has an id that is none"),
  firstName: z.string("has a first name that is no text").nullish(),
  lastName: z.string("has a last name that is no text").nullish(),
  firstNameLowerCase: loose,
  lastNameLowerCase: loose,
  name: z.string("has a name that is no text").nullish(),
  contactName: loose,
  email: z.string("has an email address that is no text").nullish(),
  phone: z.union([z.string(), z.number().transform(String)], "has a phone number that is no text").nullish(),
  companyName: loose,
  state: loose,
  timezone: loose,
  source: loose,
  assignedTo: loose,
  dnd: optional(z.boolean()),
  dndSettings: optional(z.object({ Call: dndSchema, SMS: dndSchema })),
  tags: optional(z.array(z.string())),
  customFields: optional(z.array(z.object({ id: z.string(), value: z.unknown() }))),
  dateAdded: optional(z.union([z.string(), z.number()])),
  dateUpdated: optional(z.union([z.string(), z.number()])),
  searchAfter: optional(z.array(z.unknown())),
});

const callMeta = optional(
  z.object({
    callDuration: optional(z.union([z.string(), z.number()])),
    callStatus: optional(z.string()),
    call: optional(
      z.object({ duration: optional(z.union([z.string(), z.number()])), status: optional(z.string()) }),
    ),
  }),
);

/** A call message, flat as documented or with `meta.call` as observed. */
export const callSchema = z.object({
  id: z.string().min(1),
  contactId: z.string().min(1),
  dateAdded: z.union([z.string(), z.number()]),
  messageType: optional(z.string()),
  source: optional(z.string()),
  userId: optional(z.string()),
  meta: callMeta,
});

/** GET /conversations/messages/export (docs: `ExportMessagesResponseDto`). */
export const callPageSchema = z.object({
  messages: z.array(z.unknown()),
  nextCursor: optional(z.string()),
});

/** The fields that all webhooks of the vendor share (docs: webhook events). */
export const webhookSchema = z.object({
  type: z.string().catch(""),
  locationId: loose,
  webhookId: loose,
  timestamp: optional(z.union([z.string(), z.number()])),
});

/** INSTALL, UNINSTALL: for a location or a whole company. */
export const appEventSchema = z.object({ appId: loose, companyId: loose });

/** NoteCreate, NoteUpdate, NoteDelete. */
export const noteEventSchema = z.object({
  id: z.string().min(1),
  contactId: z.string().min(1),
  body: loose,
  bodyText: loose,
});

/** InboundMessage, OutboundMessage for a call. */
export const messageEventSchema = z.object({
  messageId: z.string().min(1),
  contactId: z.string().min(1),
  callDuration: optional(z.union([z.string(), z.number()])),
  callStatus: loose,
  status: loose,
});
