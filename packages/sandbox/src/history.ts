import { emptyContact } from "./gohighlevel/contact-writes.ts";
import type { CallMessage, Contact, CustomField, Note } from "./gohighlevel/entities.ts";
import { idFor } from "./ids.ts";
import type { Leg, RecordingRow } from "./twilio/leg.ts";
import { newLeg } from "./twilio/new-leg.ts";
import { segmentsOf } from "./twilio/segments.ts";
import type { SmsRow } from "./twilio/sms.ts";

/** An ended leg of a call; times in ms since 1970. */
type PastLeg = Pick<
  Leg,
  | "sid"
  | "parentSid"
  | "from"
  | "to"
  | "direction"
  | "person"
  | "status"
  | "createdAt"
  | "answeredAt"
  | "endedAt"
  | "durationSeconds"
  | "answeredBy"
  | "bridged"
  | "pressed"
>;

/** A finished recording. */
type PastRecording = Pick<RecordingRow, "sid" | "callSid" | "source" | "startedAt"> & {
  durationSeconds: number;
};

type PastSms = Pick<
  SmsRow,
  "sid" | "direction" | "from" | "to" | "body" | "status" | "errorCode" | "createdAt" | "automatic"
>;

/** A complete invented history: it replaces all data of the sandbox. */
export interface History {
  customFields: CustomField[];
  contacts: (Partial<Contact> & Pick<Contact, "id" | "dateAdded">)[];
  notes: Note[];
  /** Calls stored in the CRM itself. */
  crmCalls: Omit<CallMessage, "conversationId">[];
  legs: PastLeg[];
  recordings: PastRecording[];
  texts: PastSms[];
  /** Numbers that sent STOP, with the time (ISO). */
  optOuts: { number: string; at: string }[];
  /** People who are not in the CRM. */
  names: { number: string; name: string }[];
}

export const historyLists = [
  "customFields",
  "contacts",
  "notes",
  "crmCalls",
  "legs",
  "recordings",
  "texts",
  "optOuts",
  "names",
] as const satisfies (keyof History)[];

export function pastContact(given: History["contacts"][number]): Contact {
  return { ...emptyContact(given.id, given.dateAdded), ...given };
}

export function pastCrmCall(given: History["crmCalls"][number]): CallMessage {
  return { ...given, conversationId: idFor(`conversation ${given.contactId}`) };
}

export function pastLeg(given: PastLeg): Leg {
  const leg = newLeg({
    ...given,
    ringSeconds: 30,
    timeLimitSeconds: 14_400,
    document: null,
    callback: null,
    machineDetection: null,
    baseUrl: null,
  });
  return { ...leg, ...given, activity: "ended", startedAt: given.createdAt };
}

export function pastRecording(given: PastRecording): RecordingRow {
  const updatedAt = given.startedAt + given.durationSeconds * 1_000;
  return {
    ...given,
    status: "completed",
    channels: given.source === "DialVerb" ? 2 : 1,
    callback: null,
    events: [],
    transcribeCallback: null,
    updatedAt,
    startedAtSimulated: given.startedAt,
  };
}

export function pastSms(given: PastSms): SmsRow {
  const { createdAt, status } = given;
  const wentOut = status !== "failed";
  return {
    ...given,
    segments: segmentsOf(given.body),
    callback: null,
    updatedAt: createdAt + 2_000,
    sentAt: wentOut ? createdAt + 1_000 : null,
  };
}
