import { z } from "zod";
import { contactRefusals } from "../errors.ts";
import { limits } from "../limits.ts";
import { idSchema, text } from "./fields.ts";
import { editableLeadStatuses, priorities } from "./lead.ts";

/** The edit applied to many leads at once. */
export const bulkEditSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("status"), status: z.enum(editableLeadStatuses) }),
  z.strictObject({ kind: z.literal("priority"), priority: z.enum(priorities) }),
  z.strictObject({
    kind: z.literal("assign"),
    salesRepId: idSchema,
    notes: text(limits.notesMaxLength).nullish(),
    /** Also moves the follow-up and the previous consultant's future meetings with the lead. */
    takeAlong: z.boolean().default(true),
  }),
  z.strictObject({ kind: z.literal("text"), message: text(10_000) }),
]);
export type BulkEdit = z.output<typeof bulkEditSchema>;

export const bulkEditKinds = ["status", "priority", "assign", "text"] as const;

/** Why a lead is skipped by a bulk change or by its undo. */
export const bulkReasons = [
  /** The lead does not exist. */
  "not_found",
  /** The lead is assigned to another consultant. */
  "not_yours",
  /** The lead is a client, whose status cannot change. */
  "client",
  /** The lead already has this value. */
  "already",
  ...contactRefusals,
  /** The provider refused the SMS or was unavailable for too long. */
  "not_sent",
  /** The user who requested the SMS may no longer send any. */
  "account_closed",
  /** The lead was changed since, so the undo leaves it unchanged. */
  "touched",
  /** The consultant that the undo would assign the lead to is no longer active. */
  "owner_closed",
] as const;
export type BulkReason = (typeof bulkReasons)[number];

/**
 * The result for a lead. `changed`: done. `waiting`, `sending`: the SMS is pending. `sent`: the provider accepted the SMS. `spared`: the
 * undo left the lead unchanged.
 */
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

/** Leads with the same result: their number, and the names of the first ones. */
export const bulkGroupSchema = z.object({
  state: z.enum(bulkItemStates),
  reason: z.enum(bulkReasons).nullable(),
  count: z.number(),
  leads: named,
});
export type BulkGroup = z.infer<typeof bulkGroupSchema>;

/** What a bulk change would do: how many leads it changes, and which it skips and why. */
export const bulkPreviewSchema = z.object({
  changed: z.number(),
  leftOut: z.array(z.object({ reason: z.enum(bulkReasons), count: z.number(), leads: named })),
  /** Segments per SMS; null if no SMS is sent. The price per segment is not known here. */
  segments: z.number().nullable(),
});
export type BulkPreview = z.infer<typeof bulkPreviewSchema>;

/** A change of many leads at once. */
export const bulkChangeSchema = z.object({
  id: z.number(),
  kind: z.enum(bulkEditKinds),
  /** The new status or priority, the consultant's name, or the text of the SMS. */
  value: z.string(),
  userName: z.string(),
  at: z.string(),
  /** `open`: SMS are pending, or meetings still have to be moved. */
  state: z.enum(["open", "done", "undone"]),
  /** Milliseconds until effects outside the portal (SMS, CRM, calendar) start. It can be undone completely until then. */
  waitsMs: z.number(),
  mayUndo: z.boolean(),
  undoneAt: z.string().nullable(),
  groups: z.array(bulkGroupSchema),
});
export type BulkChange = z.infer<typeof bulkChangeSchema>;
