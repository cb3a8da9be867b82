import type { ProviderSound } from "./call-recordings.ts";

/** A person who works in the CRM. */
export interface CrmUser {
  id: string;
  name: string;
  /** Lower case. */
  email: string | null;
}

/** What the portal keeps at a contact in fields of its own, as texts; instants are ISO. */
export const crmOwnFields = [
  "status",
  "priority",
  "nextFollowUpDate",
  "nextFollowUpTime",
  "conversionValue",
  "convertedAt",
] as const;
export type CrmOwnField = (typeof crmOwnFields)[number];

/** A contact as the CRM holds it: texts trimmed, absent values null; names as typed there. */
export interface CrmContact {
  id: string;
  firstName: string | null;
  lastName: string | null;
  name: string | null;
  /** Lower case. */
  email: string | null;
  phone: string | null;
  company: string | null;
  /** State of its address as typed there, and its own time zone, IANA. */
  state: string | null;
  timeZone: string | null;
  industry: string | null;
  dealValue: number | null;
  source: string | null;
  /** "Do not disturb" is on for calls, for texts; null where the CRM did not say. */
  callsBlocked: boolean | null;
  textsBlocked: boolean | null;
  /** The CRM's id of the user it is assigned to. */
  assignedTo: string | null;
  createdAt: Date | null;
  updatedAt: Date | null;
  tags: string[];
  /** The portal's own fields as far as the contact has them. */
  own: Partial<Record<CrmOwnField, string>>;
  /** Custom fields without a place above, by their names. */
  otherFields: Record<string, unknown>;
}

/** A record that cannot be understood, with the reason in words. */
export interface CrmReject {
  externalId: string | null;
  /** What a person may know it by. */
  label: string;
  reason: string;
  payload: unknown;
}

/** A contact on a page: what decides whether it must be read at all, without reading it. */
export interface CrmFound {
  /** Null where it has none that could be one: then it is read as a reject. */
  id: string | null;
  /** The CRM's id of the user it is assigned to. */
  assignedTo: string | null;
  updatedAt: Date | null;
  /** A digest of all that `read` looks at, and of the salt: the same again is the same contact again. */
  digest(salt: string): string;
  read(): CrmContact | CrmReject;
}

/** Where the next page begins; opaque to everyone but the adapter, and safe to keep as JSON. */
export type CrmCursor = unknown[];

export interface CrmContactPage {
  found: CrmFound[];
  /** Null after the last page. */
  next: CrmCursor | null;
}

/** A call between the CRM and a contact that has a sound. */
export interface CrmCall {
  messageId: string;
  /** How long it took; null where the CRM does not say. */
  durationSeconds: number | null;
  contactId: string;
  at: Date;
  /** Made by the AI agent and not by a person. */
  byAgent: boolean;
}

export interface CrmCallPage {
  calls: CrmCall[];
  next: CrmCursor | null;
}

/** A note as it is kept in the CRM, and its words: without the tags of the CRM's own editor, else the same. */
export interface CrmNoteText {
  body: string;
  text: string;
}

/** What the portal writes at a contact; what is missing stays as it is. */
export interface CrmContactPatch {
  name?: { firstName: string; lastName: string; name: string };
  /** The CRM's user id; null for nobody. */
  assignedTo?: string | null;
  callsBlocked?: boolean;
  textsBlocked?: boolean;
  /** Null empties a field. */
  own?: Partial<Record<CrmOwnField, string | null>>;
}

/**
 * The CRM. Every method throws `ProviderError`: `auth` (key refused), `rate-limited`, `unavailable` (no answer in 10 s, for a
 * page in 60 s; 5xx, or an answer that is no JSON), `not-found`, `invalid`. Reads are tried again up to 5 times unless `once` is asked for; writes never.
 */
export interface Crm {
  /** Everyone who works in the CRM. `once` for a person who waits. */
  listUsers(options?: { once?: boolean }): Promise<CrmUser[]>;
  /**
   * Contacts in the order of their last change, oldest first. With `changedSince` only those changed at or after it, newest first:
   * what changes meanwhile is then newer than all that was read, and for the next such reading.
   */
  contactPage(options: {
    cursor: CrmCursor | null;
    changedSince?: Date | null;
    signal?: AbortSignal;
  }): Promise<CrmContactPage>;
  /** One contact, asked for once unless `patient`: for work that nobody waits for. Errors: also `invalid` where it cannot be understood. */
  readContact(contactId: string, options?: { patient?: boolean }): Promise<CrmContact>;
  /**
   * Changes a contact; the portal's own fields are made where they are missing. That the CRM kept it must be read back: it drops
   * fields in silence. `fresh` after such a loss: the fields' ids are asked for anew.
   */
  updateContact(contactId: string, patch: CrmContactPatch, options?: { fresh?: boolean }): Promise<void>;
  /** A note: as it is kept there, and its words (the vendor's editor writes HTML). Errors: `not-found`. */
  readNote(contactId: string, noteId: string): Promise<CrmNoteText>;
  /** Writes the portal's note of a contact: the known one, else one that it wrote before, else a new one. Answers its id. */
  saveNote(contactId: string, note: { noteId: string | null; body: string }): Promise<string>;
  /** Deletes a note; one that is gone already is no fault. */
  removeNote(contactId: string, noteId: string): Promise<void>;
  /** Calls, oldest first. */
  callPage(options: { cursor: CrmCursor | null; signal?: AbortSignal }): Promise<CrmCallPage>;
  /** The sound of a call message. The caller reads or destroys `body`; `signal` ends the request. Errors: `not-found` where there is none. */
  openRecording(messageId: string, options: { signal: AbortSignal }): Promise<ProviderSound>;
}

/** Keeps all processes together below the CRM's rate limit. */
export interface CrmPace {
  /** Waits for this request's turn and answers 0; where that would take longer than half a minute, at once the seconds. */
  turn(): Promise<number>;
  /** The CRM asked for silence: nobody has a turn for so long. */
  hold(seconds: number): Promise<void>;
}

/** What the CRM sends by webhook. Instants are by its own clock. */
export type CrmEvent =
  /** A contact was made or changed; `contact` holds what the CRM said of it, and null for what it did not say. */
  | { kind: "contact"; contactId: string; contact: CrmContact | CrmReject }
  | { kind: "contact-deleted"; contactId: string }
  | { kind: "note"; contactId: string; noteId: string; note: CrmNoteText | null }
  | { kind: "call"; call: CrmCall }
  /** An app of theirs was installed or removed: at a location, or (null) wherever the company has it. */
  | {
      kind: "app";
      installed: boolean;
      appId: string | null;
      locationId: string | null;
      companyId: string | null;
      sentAt: Date | null;
    }
  /** Nothing that concerns the portal, with the reason. */
  | { kind: "other"; reason: string };

/** The CRM's webhooks: whether a request is truly its own, and what it says. */
export interface CrmWebhooks {
  /** Over the raw body, in constant time. */
  isSigned(raw: Buffer, signature: string): boolean;
  /** What makes the event what it is, its type and when it was sent (null where it does not say). */
  identify(payload: Record<string, unknown>, raw: Buffer): { key: string; type: string; sentAt: Date | null };
  /** What a stored event says; `locationId` is ours, null while there is none. */
  read(payload: Record<string, unknown>, locationId: string | null): CrmEvent;
}
