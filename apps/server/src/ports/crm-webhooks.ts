import type { CrmCall, CrmContact, CrmReject } from "./crm.ts";

/** What the CRM tells of, without being asked. Instants are by its own clock. */
export type CrmNews =
  /** A contact was made or changed; `contact` holds what the CRM said of it, and null for what it did not say. */
  | { kind: "contact"; contactId: string; contact: CrmContact | CrmReject }
  | { kind: "contact-deleted"; contactId: string }
  | { kind: "note"; contactId: string; noteId: string; body: string | null }
  | { kind: "call"; call: CrmCall }
  /** Nothing that concerns the portal, with the reason. */
  | { kind: "other"; reason: string };

/** The CRM's webhooks: whether a request is truly its own, and what it says. */
export interface CrmWebhooks {
  /** Over the raw body, in constant time. */
  isSigned(raw: Buffer, signature: string): boolean;
  /** What makes the event what it is, its type and when it was sent (null where it does not say). */
  identify(payload: Record<string, unknown>, raw: Buffer): { key: string; type: string; sentAt: Date | null };
  /** What a stored event says. */
  read(payload: Record<string, unknown>): CrmNews;
}
