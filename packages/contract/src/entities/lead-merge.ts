import { z } from "zod";
import { mergeRefusals } from "../errors.ts";
import { leadStatuses, priorities } from "./lead.ts";

/** The two leads of a merge: the one that is kept, and the one merged into it. */
export const mergeSides = ["kept", "other"] as const;
export type MergeSide = (typeof mergeSides)[number];

/** Fields for which a merge picks one of the two leads. `contact` is the CRM contact that changes are pushed to. */
export const mergeFields = [
  "contact",
  "name",
  "phone",
  "email",
  "company",
  "industry",
  "leadSource",
  "dealValue",
  "status",
  "priority",
  "followUp",
  "assignedTo",
] as const;
export type MergeField = (typeof mergeFields)[number];

/** Fields where the CRM's value wins. If one of the leads has a CRM contact, they follow the chosen contact. */
export const contactMergeFields = [
  "phone",
  "email",
  "company",
  "industry",
  "leadSource",
  "dealValue",
] as const satisfies readonly MergeField[];

const side = z.enum(mergeSides);

/** One of the two leads, with the values it contributes. */
export const mergeLeadSchema = z.object({
  id: z.number(),
  name: z.string(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  company: z.string().nullable(),
  industry: z.string().nullable(),
  leadSource: z.string().nullable(),
  dealValue: z.number().nullable(),
  status: z.enum(leadStatuses),
  priority: z.enum(priorities),
  nextFollowUpDate: z.string().nullable(),
  nextFollowUpTime: z.string().nullable(),
  nextFollowUpZone: z.string().nullable(),
  assignedTo: z.number().nullable(),
  salesRepName: z.string().nullable(),
  ghlContactId: z.string().nullable(),
  createdAt: z.string(),
  /** The last call or SMS in either direction. */
  lastActivityAt: z.string().nullable(),
  /** Why calls and SMS to the lead are opted out ('stop' or 'dnd'); null if allowed. */
  callOptOut: z.string().nullable(),
  textOptOut: z.string().nullable(),
  counts: z.object({
    calls: z.number(),
    texts: z.number(),
    meetings: z.number(),
    events: z.number(),
  }),
});
export type MergeLead = z.infer<typeof mergeLeadSchema>;

/** Preview of a merge. */
export const mergePreviewSchema = z.object({
  kept: mergeLeadSchema,
  other: mergeLeadSchema,
  /** The lead each field is taken from; `fixed` if the user has no choice. */
  fields: z.array(z.object({ field: z.enum(mergeFields), side, fixed: z.boolean() })),
  refusal: z.enum(mergeRefusals).nullable(),
});
export type MergePreview = z.infer<typeof mergePreviewSchema>;

/** The user's choices, for fields that should not use the default. */
export const mergeChoicesSchema = z.partialRecord(z.enum(mergeFields), side);
export type MergeChoices = z.output<typeof mergeChoicesSchema>;

/** A merge of two leads. */
export const leadMergeSchema = z.object({
  id: z.number(),
  /** Id and name of the lead that is kept and of the one merged into it. */
  leadId: z.number(),
  leadName: z.string(),
  otherId: z.number(),
  otherName: z.string(),
  /** Additional phone number, email address and CRM contact by which the lead is found after the merge. */
  further: z.object({
    phone: z.string().nullable(),
    email: z.string().nullable(),
    ghlContactId: z.string().nullable(),
  }),
  userName: z.string(),
  at: z.string(),
  undoneAt: z.string().nullable(),
  /** The merge can be undone until then. */
  undoUntil: z.string(),
  mayUndo: z.boolean(),
});
export type LeadMerge = z.infer<typeof leadMergeSchema>;
