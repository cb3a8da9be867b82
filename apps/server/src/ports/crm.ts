import type { ProviderSound } from "./call-recordings.ts";

/** A person who works in the CRM. */
export interface CrmUser {
  id: string;
  name: string;
  /** Lower case. */
  email: string | null;
}

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
  industry: string | null;
  dealValue: number | null;
  source: string | null;
  /** "Do not disturb" is on for calls, for texts. */
  callsBlocked: boolean;
  textsBlocked: boolean;
  /** The CRM's id of the user it is assigned to. */
  assignedTo: string | null;
  createdAt: Date | null;
  updatedAt: Date | null;
  tags: string[];
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

/** Where the next page begins; opaque to everyone but the adapter, and safe to keep as JSON. */
export type CrmCursor = unknown[];

export interface CrmContactPage {
  contacts: CrmContact[];
  rejects: CrmReject[];
  /** Null after the last page. */
  next: CrmCursor | null;
}

/** A call between the CRM and a contact that has a sound. */
export interface CrmCall {
  messageId: string;
  contactId: string;
  at: Date;
  /** Made by the AI agent and not by a person. */
  byAgent: boolean;
}

export interface CrmCallPage {
  calls: CrmCall[];
  next: CrmCursor | null;
}

/** Fields of a contact that the portal writes; those left out stay. */
export interface CrmContactPatch {
  firstName?: string;
  lastName?: string;
  name?: string;
  /** The CRM's id of a user. */
  assignedTo?: string;
}

/**
 * The CRM. Every method throws `ProviderError`: `auth` (key refused), `rate-limited`, `unavailable` (no answer in 10 s, 5xx, or an
 * answer that is no JSON), `not-found`, `invalid`. Reads are tried again up to 5 times unless `once` is asked for; writes never.
 */
export interface Crm {
  /** Everyone who works in the CRM. `once` for a person who waits. */
  listUsers(options?: { once?: boolean }): Promise<CrmUser[]>;
  /** Contacts in the order of their last change, oldest first. */
  contactPage(options: { cursor: CrmCursor | null; signal?: AbortSignal }): Promise<CrmContactPage>;
  /** One contact. Errors: also `invalid` where it cannot be understood. */
  readContact(contactId: string): Promise<CrmContact>;
  /** Changes a contact. That the CRM kept it must be read back. */
  updateContact(contactId: string, patch: CrmContactPatch): Promise<void>;
  /** Turns the contact's do-not-disturb for texts on or off; other channels stay. That the CRM kept it must be read back. */
  setTextsBlocked(contactId: string, blocked: boolean): Promise<void>;
  /** Calls, oldest first. */
  callPage(options: { cursor: CrmCursor | null; signal?: AbortSignal }): Promise<CrmCallPage>;
  /** The sound of a call message. The caller reads or destroys `body`; `signal` ends the request. Errors: `not-found` where there is none. */
  openRecording(messageId: string, options: { signal: AbortSignal }): Promise<ProviderSound>;
}

/** Keeps all processes together below the CRM's rate limit. */
export interface CrmPace {
  /** Waits for this request's turn. */
  turn(): Promise<void>;
  /** The CRM asked for silence: nobody has a turn for so long. */
  hold(seconds: number): Promise<void>;
}
