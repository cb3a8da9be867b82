import { z } from "zod";
import { contactRefusals } from "../errors.ts";
import { limits } from "../limits.ts";
import { idSchema, text } from "./fields.ts";
import { editableLeadStatuses, priorities } from "./lead.ts";

/** What is done to many leads at once. */
export const bulkEditSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("status"), status: z.enum(editableLeadStatuses) }),
  z.strictObject({ kind: z.literal("priority"), priority: z.enum(priorities) }),
  z.strictObject({
    kind: z.literal("assign"),
    salesRepId: idSchema,
    notes: text(limits.notesMaxLength).nullish(),
    /** The follow-up and the previous consultant's future meetings with the lead go along. */
    takeAlong: z.boolean().default(true),
  }),
  z.strictObject({ kind: z.literal("text"), message: text(10_000) }),
]);
export type BulkEdit = z.output<typeof bulkEditSchema>;

export const bulkEditKinds = ["status", "priority", "assign", "text"] as const;

/** Why a lead is left out of an act, or spared by its undoing. */
export const bulkReasons = [
  /** There is no such lead. */
  "not_found",
  /** It is somebody else's. */
  "not_yours",
  /** It is a client, whose status stays. */
  "client",
  /** It is so already. */
  "already",
  ...contactRefusals,
  /** The provider refused the text, or was out of reach for too long. */
  "not_sent",
  /** Whoever asked for the texts may no longer send any. */
  "account_closed",
  /** Somebody changed the lead since: it stays as it is. */
  "touched",
  /** The consultant whom it would go back to is no longer active. */
  "owner_closed",
] as const;
export type BulkReason = (typeof bulkReasons)[number];

/** What became of a lead: `changed` is done, `waiting` and `sending` texts are on their way, `sent` ones were handed to the provider. */
export const bulkItemStates = [
  "changed",
  "left_out",
  "waiting",
  "sending",
  "sent",
  "undone",
  "spared",
] as const;
export type BulkItemState = (typeof bulkItemStates)[number];

const named = z.array(z.object({ id: z.number(), name: z.string() }));

/** Leads with the same fate: how many, and the first of them by name. */
export const bulkGroupSchema = z.object({
  state: z.enum(bulkItemStates),
  reason: z.enum(bulkReasons).nullable(),
  count: z.number(),
  leads: named,
});
export type BulkGroup = z.infer<typeof bulkGroupSchema>;

/** What an act would do: how many leads it changes, and who is left out and why. */
export const bulkPreviewSchema = z.object({
  changed: z.number(),
  leftOut: z.array(z.object({ reason: z.enum(bulkReasons), count: z.number(), leads: named })),
  /** Segments of one text; null where none is sent. What a segment costs is not known here. */
  segments: z.number().nullable(),
});
export type BulkPreview = z.infer<typeof bulkPreviewSchema>;

/** One act on many leads. */
export const bulkChangeSchema = z.object({
  id: z.number(),
  kind: z.enum(bulkEditKinds),
  /** The status or priority that was set, the consultant's name, or the words of the text. */
  value: z.string(),
  userName: z.string(),
  at: z.string(),
  /** `open`: texts are on their way, or meetings wait to be moved. */
  state: z.enum(["open", "done", "undone"]),
  /** Effects outside of the portal (SMS, CRM, calendar) start in this many ms; until then it can be undone. */
  waitsMs: z.number(),
  mayUndo: z.boolean(),
  undoneAt: z.string().nullable(),
  groups: z.array(bulkGroupSchema),
});
export type BulkChange = z.infer<typeof bulkChangeSchema>;
