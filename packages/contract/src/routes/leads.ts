import { z } from "zod";
import { followUpTimeFields, idSchema, instantSchema, pageQuerySchema, text } from "../entities/fields.ts";
import {
  dashboardStatsSchema,
  editableLeadStatuses,
  leadSchema,
  leadStatuses,
  priorities,
} from "../entities/lead.ts";
import {
  attemptFilters,
  followUpFilters,
  languageFilters,
  lastContactFilters,
  leadSorts,
  localTimeFilters,
} from "../entities/lead-list.ts";
import { languages } from "../entities/user.ts";
import { contactRefusals } from "../errors.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";

const leadParams = z.object({ id: idSchema });

/** Filters of both lead lists by the work done on a lead. Empty values mean no filter. */
export const leadWorkFilters = {
  attempts: z.enum([...attemptFilters, ""]).optional(),
  lastContact: z.enum([...lastContactFilters, ""]).optional(),
  followUp: z.enum([...followUpFilters, ""]).optional(),
  localTime: z.enum([...localTimeFilters, ""]).optional(),
  language: z.enum([...languageFilters, ""]).optional(),
};

/** Filters and sort order of a lead list. Empty values and 'all' mean no filter; 'createdAt' (recorded) means newest first. */
export const leadListFilters = {
  search: text(limits.searchMaxLength).optional(),
  status: z.enum([...leadStatuses, "all", ""]).optional(),
  priority: z.enum([...priorities, "all", ""]).optional(),
  ...leadWorkFilters,
  /** The lead's source, exact match. */
  source: text(limits.sourceMaxLength).optional(),
  /** 'yes': leads with unread inbound SMS. */
  unread: z.enum(["yes", ""]).optional(),
  sort: z.enum([...leadSorts, "createdAt", ""]).optional(),
};
const leadQuerySchema = pageQuerySchema.extend(leadListFilters);

/**
 * The leads assigned to the signed-in consultant, newest first by default; administrators get everyone's. Without `limit` the whole list;
 * with it a keyset page with totals in the headers (`pageHeaders`).
 */
export const listLeads = defineRoute({
  method: "GET",
  path: "/api/leads",
  summary: "Leads assigned to the signed-in consultant",
  query: leadQuerySchema,
  response: z.array(leadSchema),
});

/** Maximum number of existing leads returned for a phone number or email address. */
const knownMax = 5;

/** An existing lead as everyone sees it on All Leads, and what it was found by. */
export const knownLeadSchema = z.object({
  id: z.number(),
  name: z.string(),
  company: z.string().nullable(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  status: z.enum(leadStatuses),
  assignedTo: z.number().nullable(),
  salesRepName: z.string().nullable(),
  by: z.array(z.enum(["phone", "email"])),
});
export type KnownLead = z.infer<typeof knownLeadSchema>;

/**
 * Existing leads with this phone number (in any format) or email address, oldest first, at most five. Empty while neither is complete
 * enough to be parsed, so it can be called while typing.
 */
export const findKnownLeads = defineRoute({
  method: "GET",
  path: "/api/leads/known",
  summary: "Existing leads by phone or email",
  query: z.object({
    phone: text(limits.phoneMaxLength).optional(),
    email: text(limits.emailMaxLength).optional(),
  }),
  response: z.array(knownLeadSchema).max(knownMax),
});

/** What duplicates have in common: phone number, email address, or name and company (ignoring case and accents). */
export const duplicateKeys = ["phone", "email", "name"] as const;
export type DuplicateKey = (typeof duplicateKeys)[number];

/** A group of possible duplicates. `count` is their number; `leads` has the ten oldest. */
export const duplicatesSchema = z.object({
  count: z.number(),
  leads: z.array(knownLeadSchema.omit({ by: true })),
});
export type Duplicates = z.infer<typeof duplicatesSchema>;

/**
 * Groups of leads with the same phone number, email address, or name and company, sorted by that value. `mine` keeps groups with one of the
 * user's leads. Without `limit` all groups; with it a keyset page (`pageHeaders`).
 */
export const listDuplicates = defineRoute({
  method: "GET",
  path: "/api/leads/duplicates",
  summary: "Possible duplicates",
  query: pageQuerySchema.extend({
    by: z.enum(duplicateKeys).default("phone"),
    mine: z.enum(["yes", ""]).optional(),
  }),
  response: z.array(duplicatesSchema),
});

const typed = (maxLength: number) => text(maxLength).nullish();

/**
 * Creates a lead by hand. As everywhere, it needs a phone number or an email address. A consultant's lead is assigned to them; an
 * administrator chooses (`salesRepId`, null for unassigned). A phone number that another lead has is refused unless `isKnownPhoneFine`
 * (people who share one); an email address belongs to one lead only. Repeating the request with the same `clientRef` returns the lead it
 * created. Consent is recorded by a separate route. Errors: `invalid` (neither phone nor email, malformed email, not an active consultant),
 * `phone_invalid`, `lead_exists`, `forbidden` (a consultant who assigns it to somebody else).
 */
export const createLead = defineRoute({
  method: "POST",
  path: "/api/leads",
  summary: "Add a lead by hand",
  body: z
    .strictObject({
      firstName: typed(limits.nameMaxLength),
      lastName: typed(limits.nameMaxLength),
      phone: typed(limits.phoneMaxLength),
      email: typed(limits.emailMaxLength),
      company: typed(limits.nameMaxLength),
      industry: typed(limits.nameMaxLength),
      leadSource: typed(limits.sourceMaxLength),
      priority: z.enum(priorities).optional(),
      notes: typed(limits.notesMaxLength),
      salesRepId: idSchema.nullable().optional(),
      isKnownPhoneFine: z.boolean().default(false),
      clientRef: z.uuid().optional(),
    })
    .meta({
      example: { firstName: "Inés", lastName: "Duarte", phone: "+1 787 555 0107", company: "Solar del Este" },
    }),
  response: leadSchema,
});

/** One lead; 404 if it does not exist. Any signed-in user may see it, because All Leads shows everyone's. */
export const getLead = defineRoute({
  method: "GET",
  path: "/api/leads/:id",
  summary: "One lead",
  params: leadParams,
  response: leadSchema,
});

const extraFieldSchema = z.object({
  name: z.string(),
  value: z.string(),
  /** Source of the field. From the CRM, `state`, `timeZone` and `tags` are built-in fields and all other names are custom fields. */
  from: z.enum(["import", "crm", "crm-field"]),
});
export type ExtraField = z.infer<typeof extraFieldSchema>;

/**
 * Values received with a lead that have no field in the portal: those of an import or a webhook, then those of the CRM, each sorted by
 * name. Several values of one name are separated by commas. Any signed-in user may see them. Errors: `not_found`.
 */
export const listExtraFields = defineRoute({
  method: "GET",
  path: "/api/leads/:id/extra-fields",
  summary: "Additional fields of a lead from its source",
  params: leadParams,
  response: z.array(extraFieldSchema),
});

/**
 * A lead's location as used for contact hours and limits: state and time zone of the CRM contact, with the state as the CRM names it (null
 * if not set), and the zones of the phone number's area (IANA). The strictest of them applies. Any signed-in user may see it. Errors:
 * `not_found`.
 */
export const getLeadRegion = defineRoute({
  method: "GET",
  path: "/api/leads/:id/place",
  summary: "Time zone and state of a lead, which determine contact hours and limits",
  params: leadParams,
  response: z.object({
    crmState: z.string().nullable(),
    crmTimeZone: z.string().nullable(),
    numberTimeZones: z.array(z.string()),
  }),
});

const furtherNumberSchema = z.object({
  /** E.164. */
  phone: z.string(),
  /** Why it may not be called now, and from when it may; null where it may, or where no time allows it. */
  callRefusal: z.enum(contactRefusals).nullable(),
  callAllowedAt: z.string().nullable(),
});
export type FurtherNumber = z.infer<typeof furtherNumberSchema>;

/**
 * The numbers that a lead has beside its main one, from the leads that were merged into it, newest merge first; `makeCall` rings one of them
 * where it is sent as `to`. Any signed-in user may see them, as the lead itself. Errors: `not_found`.
 */
export const listFurtherNumbers = defineRoute({
  method: "GET",
  path: "/api/leads/:id/further-numbers",
  summary: "Further numbers of a merged lead, and whether they may be called",
  params: leadParams,
  response: z.array(furtherNumberSchema),
});

/** Figures of the tiles, for the leads assigned to the signed-in consultant. */
export const getDashboardStats = defineRoute({
  method: "GET",
  path: "/api/dashboard-stats",
  summary: "Metrics of the leads page",
  response: dashboardStatsSchema,
});

/** Fields of a lead that are edited by hand, except the status. */
const changeFields = {
  priority: z.enum(priorities).optional(),
  notes: text(limits.notesMaxLength).nullable().optional(),
  nextFollowUpDate: instantSchema.nullable().optional(),
  ...followUpTimeFields,
};

/**
 * Changes the fields sent. For the assigned consultant and administrators. Empty notes are stored as null. A follow-up's time and zone are
 * kept if only its date changes, and are removed with it; a time needs a date and a zone, sent or stored. A request with the same
 * `clientRef` is applied once. With `seen` (the values the user saw), nothing is changed if one of them differs from the current value.
 * Errors: `invalid`, `not_found`, `not_your_lead`, `already_converted`, `changed_meanwhile`.
 */
export const updateLead = defineRoute({
  method: "PATCH",
  path: "/api/leads/:id",
  summary: "Update status, priority, notes, follow-up date or language of a lead",
  params: leadParams,
  body: z.strictObject({
    status: z.enum(editableLeadStatuses).optional(),
    ...changeFields,
    lastContactedAt: instantSchema.optional(),
    /** Null: not confirmed. The language guessed from the lead's SMS is kept separately. */
    language: z.enum(languages).nullable().optional(),
    clientRef: z.uuid().optional(),
    seen: z.strictObject({ status: z.enum(leadStatuses).optional(), ...changeFields }).optional(),
  }),
  response: leadSchema,
});

/**
 * Adds a note above the lead's existing notes. For the assigned consultant and administrators. The same note twice in a row is stored once,
 * and a request with the same `clientRef` is applied once. Errors: `invalid` (blank, or too long together with the existing notes),
 * `not_found`, `not_your_lead`.
 */
export const addNote = defineRoute({
  method: "POST",
  path: "/api/leads/:id/notes",
  summary: "Add a note to a lead",
  params: leadParams,
  body: z.strictObject({ text: text(limits.notesMaxLength), clientRef: z.uuid().optional() }),
  response: leadSchema,
});

/** Renames a lead and pushes the name to the CRM. `ghlSynced` is true only if the push is confirmed within 3 s. */
export const renameLead = defineRoute({
  method: "PATCH",
  path: "/api/leads/:id/name",
  summary: "Rename a lead",
  params: leadParams,
  body: z.strictObject({ name: text(limits.nameMaxLength) }),
  response: z.object({ lead: leadSchema, ghlSynced: z.boolean() }),
});

/**
 * Records that the lead consented to contact, now. For the assigned consultant and administrators. Some markets, such as ES, allow no
 * contact without consent. Errors: `invalid`, `not_found`, `not_your_lead`.
 */
export const recordConsent = defineRoute({
  method: "POST",
  path: "/api/leads/:id/consent",
  summary: "Record a lead's consent",
  params: leadParams,
  /** `source`: description of how they consented. */
  body: z.strictObject({ source: text(limits.consentSourceMaxLength) }),
  response: leadSchema,
});

/** Withdraws the lead's consent; changes nothing if none is recorded. Errors: `not_found`, `not_your_lead`. */
export const withdrawConsent = defineRoute({
  method: "DELETE",
  path: "/api/leads/:id/consent",
  summary: "Withdraw a lead's consent",
  params: leadParams,
  response: leadSchema,
});

/** An amount of money, as a number or a numeric string. */
const amountSchema = z
  .union([z.number(), z.string().regex(/^\d{1,9}(\.\d{1,9})?$/, "Must be a number")])
  .transform(Number)
  .pipe(z.number().min(0).max(999_999_999));

/** Converts a lead to a client, once. Errors: `already_converted`, `not_found`, `not_your_lead`. */
export const convertLead = defineRoute({
  method: "POST",
  path: "/api/leads/:id/convert",
  summary: "Convert a lead to a client",
  params: leadParams,
  body: z.strictObject({
    conversionValue: amountSchema.default(limits.conversionValueDefault),
    notes: text(limits.notesMaxLength).nullish(),
  }),
  response: z.object({ message: z.string(), clientId: z.number(), lead: leadSchema }),
});

/** Creates a few test leads for the signed-in consultant. 404 in production. */
export const createSampleData = defineRoute({
  method: "POST",
  path: "/api/sample-data",
  summary: "Create test leads (demo only)",
  response: z.object({ message: z.string(), created: z.number() }),
});

/** Streams the AI agent's call with this lead; supports Range. 404 `no_recording` if there is none. */
export const getAiRecording = defineRoute({
  method: "GET",
  path: "/api/ai-recording/:id",
  summary: "Audio of the AI agent's call with a lead",
  params: leadParams,
  response: z.unknown(),
});
