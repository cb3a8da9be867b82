import { z } from "zod";
import { mergeRefusals } from "../errors.ts";
import { leadStatuses, priorities } from "./lead.ts";

/** Of two leads that become one: the one that stays, and the one that is merged into it. */
export const mergeSides = ["kept", "other"] as const;
export type MergeSide = (typeof mergeSides)[number];

/** What a merge chooses of either lead. `contact` is the contact in the CRM that changes are pushed to. */
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

/** Fields in which the CRM has the last word: where one of the leads has a contact there, they go with the chosen one. */
export const contactMergeFields = [
  "phone",
  "email",
  "company",
  "industry",
  "leadSource",
  "dealValue",
] as const satisfies readonly MergeField[];

const side = z.enum(mergeSides);

/** One of the two leads, with what it would bring. */
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
  /** The last call or text, either way. */
  lastActivityAt: z.string().nullable(),
  /** Its number asked for no calls, no texts. */
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

/** What a merge would do. */
export const mergePreviewSchema = z.object({
  kept: mergeLeadSchema,
  other: mergeLeadSchema,
  /** Which lead each field is taken from; `fixed` where the person has no choice. */
  fields: z.array(z.object({ field: z.enum(mergeFields), side, fixed: z.boolean() })),
  refusal: z.enum(mergeRefusals).nullable(),
});
export type MergePreview = z.infer<typeof mergePreviewSchema>;

/** What the person chose, for fields whose default is not wanted. */
export const mergeChoicesSchema = z.partialRecord(z.enum(mergeFields), side);
export type MergeChoices = z.output<typeof mergeChoicesSchema>;

/** Two leads that became one. */
export const leadMergeSchema = z.object({
  id: z.number(),
  /** The lead that stays, and the id and name of the one that was merged into it. */
  leadId: z.number(),
  leadName: z.string(),
  otherId: z.number(),
  otherName: z.string(),
  /** By what else the lead is found since: a number, an address, a contact. */
  further: z.object({
    phone: z.string().nullable(),
    email: z.string().nullable(),
    ghlContactId: z.string().nullable(),
  }),
  userName: z.string(),
  at: z.string(),
  undoneAt: z.string().nullable(),
  /** Until then it can be undone. */
  undoUntil: z.string(),
  mayUndo: z.boolean(),
});
export type LeadMerge = z.infer<typeof leadMergeSchema>;
