import type { Target } from "./leg.ts";

export type SmsStatus =
  | "accepted"
  | "queued"
  | "sending"
  | "sent"
  | "delivered"
  | "undelivered"
  | "failed"
  | "receiving"
  | "received";

/** An SMS of the account, or Twilio's automatic reply to a keyword. */
export interface SmsRow {
  sid: string;
  direction: "inbound" | "outbound-api" | "outbound-reply";
  from: string;
  to: string;
  body: string;
  status: SmsStatus;
  segments: number;
  errorCode: number | null;
  callback: Target | null;
  /** The Messaging Service by which it was sent or received; missing in rows of an earlier version. */
  serviceSid?: string | null;
  /** Twilio's interpretation of the text, with Advanced Opt-Out. */
  optOutType?: "STOP" | "START" | "HELP";
  /** Real time, like the vendor's dates. */
  createdAt: number;
  updatedAt: number;
  sentAt: number | null;
  /** Sent automatically by Twilio in reply to STOP, START or HELP: the account's list does not contain it. */
  automatic: boolean;
}

/** How an SMS to a number ends: delivered, sent without a delivery report, or with an error code. */
export type SmsOutcome = "delivered" | "sent" | number;

/** Codes that refuse an SMS at its creation; the others are reported with the delivery. */
export const REFUSALS: ReadonlyMap<number, string> = new Map([
  [21211, "Invalid 'To' Phone Number: "],
  [21408, "Permission to send an SMS has not been enabled for the region indicated by the 'To' number: "],
  [21610, "Attempt to send to unsubscribed recipient"],
  [21612, "The 'To' phone number is not currently reachable using the 'From' phone number: "],
  [21614, "'To' number is not a valid mobile number: "],
]);

export const DELIVERY_ERRORS: ReadonlyMap<number, string> = new Map([
  [30001, "Queue overflow"],
  [30002, "Account suspended"],
  [30003, "Unreachable destination handset"],
  [30004, "Message blocked"],
  [30005, "Unknown destination handset"],
  [30006, "Landline or unreachable carrier"],
  [30007, "Message filtered"],
  [30008, "Unknown error"],
  [30034, "Message from an unregistered number"],
]);

/** Codes of SMS that never left Twilio: `failed` instead of `undelivered`. */
export const NEVER_SENT: ReadonlySet<number> = new Set([30001, 30002, 30034]);
