import type { ProviderSound } from "./call-recordings.ts";
import { ProviderError } from "./provider-error.ts";

/** A user of the CRM. */
export interface CrmUser {
  id: string;
  name: string;
  /** Lower case. */
  email: string | null;
}

/** Custom fields that the portal writes at a contact. All values are texts; instants are ISO. */
export const crmOwnFields = [
  "status",
  "priority",
  "nextFollowUpDate",
  "nextFollowUpTime",
  "conversionValue",
  "convertedAt",
] as const;
export type CrmOwnField = (typeof crmOwnFields)[number];

/** A contact as the CRM stores it: texts trimmed, absent values null, names as typed there. */
export interface CrmContact {
  id: string;
  firstName: string | null;
  lastName: string | null;
  name: string | null;
  /** Lower case. */
  email: string | null;
  phone: string | null;
  company: string | null;
  /** State of the address as typed in the CRM, and the contact's IANA zone. */
  state: string | null;
  timeZone: string | null;
  industry: string | null;
  dealValue: number | null;
  source: string | null;
  /** Whether "do not disturb" is on for calls and for SMS; null if the CRM does not say. */
  callsBlocked: boolean | null;
  textsBlocked: boolean | null;
  /** CRM id of the assigned user. */
  assignedTo: string | null;
  createdAt: Date | null;
  updatedAt: Date | null;
  tags: string[];
  /** The portal's own fields that the contact has. */
  own: Partial<Record<CrmOwnField, string>>;
  /** Other custom fields, by name. */
  otherFields: Record<string, unknown>;
}

/** A record that cannot be parsed, with the reason as text. */
export interface CrmReject {
  externalId: string | null;
  /** A text by which a person may recognize it. */
  label: string;
  reason: string;
  payload: unknown;
}

/** A contact on a page, with the facts that decide whether it must be parsed at all. */
export interface CrmFound {
  /** Null if the contact has no valid id; `read` then returns a reject. */
  id: string | null;
  /** CRM id of the assigned user. */
  assignedTo: string | null;
  updatedAt: Date | null;
  /** A hash of everything that `read` uses, and of the salt. An equal digest means an unchanged contact. */
  digest(salt: string): string;
  read(): CrmContact | CrmReject;
}

/** Position of the next page. Only the adapter interprets it; it can be stored as JSON. */
export type CrmCursor = unknown[];

export interface CrmContactPage {
  found: CrmFound[];
  /** Null after the last page. */
  next: CrmCursor | null;
}

/** A call between the CRM and a contact that has audio. */
export interface CrmCall {
  messageId: string;
  /** Null if the CRM does not say. */
  durationSeconds: number | null;
  contactId: string;
  at: Date;
  /** Made by the CRM's AI agent, not by a person. */
  byAgent: boolean;
}

export interface CrmCallPage {
  calls: CrmCall[];
  next: CrmCursor | null;
}

/** A note as stored in the CRM (`body`), and without the HTML tags of the CRM's editor (`text`). */
export interface CrmNoteText {
  body: string;
  text: string;
}

/** Changes of a contact; absent fields stay unchanged. */
export interface CrmContactPatch {
  name?: { firstName: string; lastName: string; name: string };
  /** CRM id of the user; null for nobody. */
  assignedTo?: string | null;
  callsBlocked?: boolean;
  textsBlocked?: boolean;
  /** Null clears a field. */
  own?: Partial<Record<CrmOwnField, string | null>>;
}

/**
 * The CRM. Every method throws `ProviderError`: `auth` (key refused), `rate-limited`, `unavailable` (no response within 10 s, or 60 s for a
 * page; 5xx; a response that is not JSON), `not-found`, `invalid`. Reads are tried up to 5 times unless `once` is set; writes are never
 * retried.
 */
export interface Crm {
  /** All users of the CRM. `once`: for a person who is waiting for the result. */
  listUsers(options?: { once?: boolean }): Promise<CrmUser[]>;
  /**
   * Contacts in the order of their last change, oldest first. With `changedSince` only those changed at or after it, newest first: a
   * contact that changes during the read is newer than the read ones and left to the next such read.
   */
  contactPage(options: {
    cursor: CrmCursor | null;
    changedSince?: Date | null;
    signal?: AbortSignal;
  }): Promise<CrmContactPage>;
  /** Reads one contact, in one try unless `patient` is set for background work. Errors: also `invalid` if the contact cannot be parsed. */
  readContact(contactId: string, options?: { patient?: boolean }): Promise<CrmContact>;
  /**
   * Changes a contact and creates the portal's own fields if they are missing. The result must be checked by reading the contact again,
   * because the CRM drops fields silently. `fresh`: after such a loss, reads the ids of the fields again.
   */
  updateContact(contactId: string, patch: CrmContactPatch, options?: { fresh?: boolean }): Promise<void>;
  /** A note as stored in the CRM (its editor writes HTML) and as text. Errors: `not-found`. */
  readNote(contactId: string, noteId: string): Promise<CrmNoteText>;
  /** Writes the portal's note of a contact: updates the given one, else the one that it wrote before, else creates one. Returns its id. */
  saveNote(contactId: string, note: { noteId: string | null; body: string }): Promise<string>;
  /** Deletes a note; succeeds if it was deleted before. */
  removeNote(contactId: string, noteId: string): Promise<void>;
  /** Calls, oldest first. */
  callPage(options: { cursor: CrmCursor | null; signal?: AbortSignal }): Promise<CrmCallPage>;
  /**
   * Opens the audio of a call message. The caller must read or destroy `body`; `signal` aborts the request. Errors: `not-found` if there is
   * none.
   */
  openRecording(messageId: string, options: { signal: AbortSignal }): Promise<ProviderSound>;
}

/** A rate limiter shared by all processes, which keeps them below the CRM's limit. */
export interface CrmPace {
  /** Waits for this request's turn and returns 0. If the wait would exceed half a minute, returns its length in seconds at once. */
  turn(): Promise<number>;
  /** Stops all requests for this time, because the CRM asked for it. */
  hold(seconds: number): Promise<void>;
}

/** Events that the CRM sends by webhook. Instants are those of the CRM's clock. */
export type CrmEvent =
  /** A contact was created or changed. Values that the event does not contain are null. */
  | { kind: "contact"; contactId: string; contact: CrmContact | CrmReject }
  | { kind: "contact-deleted"; contactId: string }
  | { kind: "note"; contactId: string; noteId: string; note: CrmNoteText | null }
  | { kind: "call"; call: CrmCall }
  /** An app was installed or removed, at a location or (null) at all locations of the company. */
  | {
      kind: "app";
      installed: boolean;
      appId: string | null;
      locationId: string | null;
      companyId: string | null;
      sentAt: Date | null;
    }
  /** An event that the portal does not use, with the reason. */
  | { kind: "other"; reason: string };

/** Verifies and parses the CRM's webhooks. */
export interface CrmWebhooks {
  /** Verifies the signature over the raw body, in constant time. */
  isSigned(raw: Buffer, signature: string): boolean;
  /** Returns the event's key for deduplication, its type and when it was sent (null if unknown). */
  identify(payload: Record<string, unknown>, raw: Buffer): { key: string; type: string; sentAt: Date | null };
  /** Parses a stored event. `locationId` is ours; null if there is none yet. */
  read(payload: Record<string, unknown>, locationId: string | null): CrmEvent;
}

/** OAuth tokens of an installation. Stored encrypted. */
export interface CrmAppTokens {
  accessToken: string;
  /** Valid once: each refresh returns a new one. */
  refreshToken: string;
}

/** The result of an installation or a refresh. */
export interface CrmGrant {
  tokens: CrmAppTokens;
  /** Lifetime of the access token. */
  expiresInSeconds: number;
  /** Null if the grant covers several locations or none. */
  locationId: string | null;
  companyId: string | null;
  /** Required scopes that were not granted; empty if the response lists no scopes. */
  missingScopes: string[];
}

/**
 * The CRM's app: how the portal is installed at a location and gets its tokens. Every method throws `ProviderError`: `auth` if the code or
 * refresh token is refused permanently; `invalid` if the app's id or secret is; `rate-limited`; `unavailable` (the response may have been
 * lost). No request is retried here.
 */
export interface CrmApp {
  /** URL of the page on which a location is chosen. */
  installUrl(state: string): string;
  exchangeCode(code: string): Promise<CrmGrant>;
  refresh(refreshToken: string): Promise<CrmGrant>;
  /** Name of the token's location; its id if the token may not read the name. */
  locationName(accessToken: string, locationId: string): Promise<string>;
  /** Whether an INSTALL or UNINSTALL event with this app id is about our app. */
  isOurs(appId: string | null): boolean;
}

/** The token that requests use now, and its location. */
export interface CrmKey {
  token: string;
  locationId: string;
}

/** Provides the key for requests. */
export interface CrmAccess {
  /** Errors: `CrmKeyMissing`. */
  key(): Promise<CrmKey>;
  /** Reports that the CRM refused this key (401). Returns true if there is a new key now. Errors: as of `key`. */
  refused(key: CrmKey): Promise<boolean>;
}

/** There is no key, so no request was sent. Changes in the outbox keep waiting. */
export class CrmKeyMissing extends ProviderError {}

/** There is no valid key until an administrator connects the CRM. */
export class CrmNotConnected extends CrmKeyMissing {
  readonly reason: "not_connected" | "connect_again" | "app_refused";

  constructor(reason: CrmNotConnected["reason"], message: string) {
    super({ provider: "gohighlevel", kind: "auth", message });
    this.reason = reason;
  }
}

/** The key is valid but lacks the scope for the request. */
export class CrmScopeMissing extends ProviderError {}

/** The key is valid but belongs to another location than the requested one. */
export class CrmWrongLocation extends ProviderError {}

/** The key expired, and the CRM does not issue a new one at the moment. */
export class CrmKeyAwaited extends CrmKeyMissing {
  constructor() {
    super({
      provider: "gohighlevel",
      kind: "unavailable",
      message: "GoHighLevel is not answering at the moment. Please try again in a moment.",
    });
  }
}

/** Access with a key that never changes. */
export function fixedAccess(key: CrmKey): CrmAccess {
  return { key: async () => key, refused: async () => false };
}
