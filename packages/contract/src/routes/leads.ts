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
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";

const leadParams = z.object({ id: idSchema });

/** Filters by the work on a lead, of both lists of leads; empty values mean no filter. */
export const leadWorkFilters = {
  attempts: z.enum([...attemptFilters, ""]).optional(),
  lastContact: z.enum([...lastContactFilters, ""]).optional(),
  followUp: z.enum([...followUpFilters, ""]).optional(),
  localTime: z.enum([...localTimeFilters, ""]).optional(),
  language: z.enum([...languageFilters, ""]).optional(),
};

/** Filters and order of a lead list; empty values and 'all' mean no filter, 'createdAt' (recorded) the newest first. */
export const leadListFilters = {
  search: text(limits.searchMaxLength).optional(),
  status: z.enum([...leadStatuses, "all", ""]).optional(),
  priority: z.enum([...priorities, "all", ""]).optional(),
  ...leadWorkFilters,
  /** Where the lead came from, exactly as it is kept. */
  source: text(limits.sourceMaxLength).optional(),
  /** 'yes' keeps leads with inbound texts that nobody has read. */
  unread: z.enum(["yes", ""]).optional(),
  sort: z.enum([...leadSorts, "createdAt", ""]).optional(),
};
const leadQuerySchema = pageQuerySchema.extend(leadListFilters);

/**
 * The leads assigned to the signed-in consultant, newest first unless sorted otherwise; administrators get everyone's.
 * Without `limit` the whole list; with `limit` a keyset page with totals in the headers (`pageHeaders`).
 */
export const listLeads = defineRoute({
  method: "GET",
  path: "/api/leads",
  summary: "The leads assigned to the signed-in consultant",
  query: leadQuerySchema,
  response: z.array(leadSchema),
});

/** How many leads with a number or an address are named. */
const knownMax = 5;

/** A lead that is there already, as All Leads shows it to everybody, and by what it was found. */
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
 * Leads that have this number (typed in any format) or this e-mail address, the oldest first, at most five; none where neither can be
 * read yet, as while one types.
 */
export const findKnownLeads = defineRoute({
  method: "GET",
  path: "/api/leads/known",
  summary: "Whether somebody is a lead already, by phone or email",
  query: z.object({
    phone: text(limits.phoneMaxLength).optional(),
    email: text(limits.emailMaxLength).optional(),
  }),
  response: z.array(knownLeadSchema).max(knownMax),
});

/** By what two leads may be one: the number, the address, or name and company written alike (capitals and accents aside). */
export const duplicateKeys = ["phone", "email", "name"] as const;
export type DuplicateKey = (typeof duplicateKeys)[number];

/** Leads that may be one. `count` is how many there are, of which the ten oldest are named. */
export const duplicatesSchema = z.object({
  count: z.number(),
  leads: z.array(knownLeadSchema.omit({ by: true })),
});
export type Duplicates = z.infer<typeof duplicatesSchema>;

/**
 * Groups of leads with the same number, address, or name and company, in the order of these; `mine` keeps those with a lead of one's own. Without
 * `limit` all of them; with it a keyset page (`pageHeaders`).
 */
export const listDuplicates = defineRoute({
  method: "GET",
  path: "/api/leads/duplicates",
  summary: "Leads that may be one",
  query: pageQuerySchema.extend({
    by: z.enum(duplicateKeys).default("phone"),
    mine: z.enum(["yes", ""]).optional(),
  }),
  response: z.array(duplicatesSchema),
});

const typed = (maxLength: number) => text(maxLength).nullish();

/**
 * Makes one lead by hand: with a phone or an e-mail address, as every way in. A consultant's is theirs; an administrator says whose it
 * is (`salesRepId`, null for nobody). A number that a lead has is refused unless `isKnownPhoneFine` (people who share one); an address
 * is one lead's only. The same `clientRef` again answers the lead that it made. Consent is recorded by its own route.
 * Errors: `invalid` (neither phone nor e-mail, no address, no active consultant), `phone_invalid`, `lead_exists`, `forbidden` (a
 * consultant who names somebody else).
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

/** One lead. 404 when it does not exist; any signed-in user may see it (All Leads shows everyone's rows). */
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
  /** Who sent it; of the CRM `state`, `timeZone` and `tags` are its own, all other names those of its custom fields. */
  from: z.enum(["import", "crm", "crm-field"]),
});
export type ExtraField = z.infer<typeof extraFieldSchema>;

/**
 * What came with a lead and has no field here: the names and values of an import's or a webhook's sender, then those of the CRM, each in the
 * order of the names; several values of one name are parted by commas. Any signed-in user may see it, as the lead itself. Errors: `not_found`.
 */
export const listExtraFields = defineRoute({
  method: "GET",
  path: "/api/leads/:id/extra-fields",
  summary: "What came with a lead and has no field here",
  params: leadParams,
  response: z.array(extraFieldSchema),
});

/**
 * Where a lead is, as far as it decides the hours and limits of contacts: state and time zone of the contact in the CRM, as the CRM names the
 * state (null where it says nothing), and the zones of the number's area, all IANA. The strictest of them all holds. Any signed-in user may see it, as
 * the lead itself. Errors: `not_found`.
 */
export const getLeadRegion = defineRoute({
  method: "GET",
  path: "/api/leads/:id/place",
  summary: "Where a lead is, by the CRM and by its number: hours and limits of contacts follow from it",
  params: leadParams,
  response: z.object({
    crmState: z.string().nullable(),
    crmTimeZone: z.string().nullable(),
    numberTimeZones: z.array(z.string()),
  }),
});

/** Figures of the tiles, for the leads assigned to the signed-in consultant. */
export const getDashboardStats = defineRoute({
  method: "GET",
  path: "/api/dashboard-stats",
  summary: "Figures of the leads page",
  response: dashboardStatsSchema,
});

/** What of a lead is changed by hand, but the status. */
const changeFields = {
  priority: z.enum(priorities).optional(),
  notes: text(limits.notesMaxLength).nullable().optional(),
  nextFollowUpDate: instantSchema.nullable().optional(),
  ...followUpTimeFields,
};

/**
 * Changes the fields that are sent; the assignee and administrators may. Empty notes are stored as null. A follow-up's time and zone
 * stay when its date alone changes, and go with it; a time needs a date and a zone, sent or kept. A request with the same `clientRef` is
 * done once. With `seen`, what the person saw of these fields, nothing is changed where one of them is another by now.
 * Errors: `invalid`, `not_found`, `not_your_lead`, `already_converted`, `changed_meanwhile`.
 */
export const updateLead = defineRoute({
  method: "PATCH",
  path: "/api/leads/:id",
  summary: "Change status, priority, notes, follow-up date or language",
  params: leadParams,
  body: z.strictObject({
    status: z.enum(editableLeadStatuses).optional(),
    ...changeFields,
    lastContactedAt: instantSchema.optional(),
    /** Null: nobody knows; the guess from the lead's texts stands beside it. */
    language: z.enum(languages).nullable().optional(),
    clientRef: z.uuid().optional(),
    seen: z.strictObject({ status: z.enum(leadStatuses).optional(), ...changeFields }).optional(),
  }),
  response: leadSchema,
});

/**
 * Puts a note above those that a lead has; the assignee and administrators may. The same note twice in a row is one, and a request
 * with the same `clientRef` is done once.
 * Errors: `invalid` (blank, or too long with what is there), `not_found`, `not_your_lead`.
 */
export const addNote = defineRoute({
  method: "POST",
  path: "/api/leads/:id/notes",
  summary: "Add a note to a lead",
  params: leadParams,
  body: z.strictObject({ text: text(limits.notesMaxLength), clientRef: z.uuid().optional() }),
  response: leadSchema,
});

/** Renames a lead and pushes the name to the CRM. `ghlSynced` is true only when the push was confirmed within 3 s. */
export const renameLead = defineRoute({
  method: "PATCH",
  path: "/api/leads/:id/name",
  summary: "Rename a lead",
  params: leadParams,
  body: z.strictObject({ name: text(limits.nameMaxLength) }),
  response: z.object({ lead: leadSchema, ghlSynced: z.boolean() }),
});

/**
 * Keeps that the lead agreed to be contacted, now; the assignee and administrators may. Markets such as ES allow no contact without.
 * Errors: `invalid`, `not_found`, `not_your_lead`.
 */
export const recordConsent = defineRoute({
  method: "POST",
  path: "/api/leads/:id/consent",
  summary: "Record that a lead agreed to be contacted",
  params: leadParams,
  /** `source`: how they agreed, in words. */
  body: z.strictObject({ source: text(limits.consentSourceMaxLength) }),
  response: leadSchema,
});

/** The lead agrees no more; without a record nothing changes. Errors: `not_found`, `not_your_lead`. */
export const withdrawConsent = defineRoute({
  method: "DELETE",
  path: "/api/leads/:id/consent",
  summary: "Withdraw a lead's consent",
  params: leadParams,
  response: leadSchema,
});

/** Money, as a number or as one in writing. */
const amountSchema = z
  .union([z.number(), z.string().regex(/^\d{1,9}(\.\d{1,9})?$/, "Must be a number")])
  .transform(Number)
  .pipe(z.number().min(0).max(999_999_999));

/** Turns a lead into a client, once. Errors: `already_converted`, `not_found`, `not_your_lead`. */
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

/** Creates a handful of test leads for the signed-in consultant. 404 in production. */
export const createSampleData = defineRoute({
  method: "POST",
  path: "/api/sample-data",
  summary: "Create test leads (demo only)",
  response: z.object({ message: z.string(), created: z.number() }),
});

/** Streams the AI agent's call with this lead, with Range. 404 `no_recording` where there is none. */
export const getAiRecording = defineRoute({
  method: "GET",
  path: "/api/ai-recording/:id",
  summary: "Sound of the AI agent's call with this lead",
  params: leadParams,
  response: z.unknown(),
});
