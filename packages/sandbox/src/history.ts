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

/** A recording that is ready. */
type PastRecording = Pick<RecordingRow, "sid" | "callSid" | "source" | "startedAt"> & {
  durationSeconds: number;
};

type PastSms = Pick<
  SmsRow,
  "sid" | "direction" | "from" | "to" | "body" | "status" | "errorCode" | "createdAt" | "automatic"
>;

/** A past that somebody else made up, whole: it takes the place of all that the sandbox holds. */
export interface History {
  customFields: CustomField[];
  contacts: (Partial<Contact> & Pick<Contact, "id" | "dateAdded">)[];
  notes: Note[];
  /** Calls that the CRM itself holds. */
  crmCalls: Omit<CallMessage, "conversationId">[];
  legs: PastLeg[];
  recordings: PastRecording[];
  texts: PastSms[];
  /** Numbers that texted STOP, with when (ISO). */
  optOuts: { number: string; at: string }[];
  /** People whom the CRM does not know. */
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
