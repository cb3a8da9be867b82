import { z } from "zod";
import { contactRefusals } from "../errors.ts";

/**
 * State of a scheduled SMS: waiting, being sent, sent, held until a person decides, or canceled. Once sent it is also listed as a regular
 * SMS.
 */
export const scheduledSmsStates = ["waiting", "sending", "sent", "held", "canceled"] as const;

/** Why a scheduled SMS was held when it was due. */
export const holdReasons = [
  ...contactRefusals,
  /** The lead has sent an SMS since. */
  "lead_wrote",
  /** There was a call with the lead since. */
  "lead_called",
  /** The lead has been assigned to somebody else. */
  "changed_hands",
  /** The user it was to be sent for may no longer send SMS. */
  "account_closed",
  /** The portal was down at the scheduled time. */
  "late",
  /** The provider refused it or was unavailable for too long. */
  "not_sent",
] as const;
export type HoldReason = (typeof holdReasons)[number];

/** An SMS scheduled for a time in the lead's time zone. */
export const scheduledSmsSchema = z.object({
  id: z.number(),
  leadId: z.number(),
  leadName: z.string(),
  message: z.string(),
  state: z.enum(scheduledSmsStates),
  reason: z.enum(holdReasons).nullable(),
  sendAt: z.string(),
  /** The lead's IANA time zone, in which the time was chosen. */
  timeZone: z.string(),
  /** Who wrote it. */
  writerName: z.string(),
});
export type ScheduledSms = z.infer<typeof scheduledSmsSchema>;
