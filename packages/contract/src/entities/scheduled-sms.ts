import { z } from "zod";
import { contactRefusals } from "../errors.ts";

/**
 * Where a text that goes out later stands: it waits, is being sent, was sent, is held back until somebody decides, or was taken back. What
 * was sent is a text among the others.
 */
export const scheduledSmsStates = ["waiting", "sending", "sent", "held", "canceled"] as const;

/** Why a text is held back when it was to go. */
export const holdReasons = [
  ...contactRefusals,
  /** The lead wrote since. */
  "lead_wrote",
  /** The lead was called, or called, since. */
  "lead_called",
  /** The lead is somebody else's by now. */
  "changed_hands",
  /** Under whom it was to go may send no more. */
  "account_closed",
  /** The portal was not there at its time. */
  "late",
  /** The provider refused it, or was out of reach for too long. */
  "not_sent",
] as const;
export type HoldReason = (typeof holdReasons)[number];

/** A text that goes out later, on the lead's own clock. */
export const scheduledSmsSchema = z.object({
  id: z.number(),
  leadId: z.number(),
  leadName: z.string(),
  message: z.string(),
  state: z.enum(scheduledSmsStates),
  reason: z.enum(holdReasons).nullable(),
  sendAt: z.string(),
  /** The lead's zone, in which its time was chosen, IANA. */
  timeZone: z.string(),
  /** Who wrote it. */
  writerName: z.string(),
});
export type ScheduledSms = z.infer<typeof scheduledSmsSchema>;
