import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import type { CrmEvent, CrmWebhooks } from "../../ports/crm.ts";
import { noteText } from "./notes.ts";
import {
  appEventSchema,
  contactSchema,
  messageEventSchema,
  noteEventSchema,
  webhookSchema,
} from "./schemas.ts";
import { type FieldNames, instant, toCall, toContact } from "./transform.ts";

type Payload = Record<string, unknown>;

const contactTypes = new Set(["ContactCreate", "ContactUpdate", "ContactDndUpdate", "ContactTagUpdate"]);
const noteTypes = new Set(["NoteCreate", "NoteUpdate", "NoteDelete"]);
const appTypes = new Set(["INSTALL", "UNINSTALL"]);
const messageTypes = new Set(["InboundMessage", "OutboundMessage"]);

/**
 * Parses a contact event. An event may omit fields of the contact, and an omitted field is unknown. For do-not-disturb this matters most,
 * because an omitted field must not allow contact. Custom fields have only ids here and are read from the CRM afterwards.
 */
function contactEvent(payload: Payload): CrmEvent {
  const noFields: FieldNames = new Map();
  const contact = toContact({ ...payload, customFields: undefined }, noFields);
  const id = contactSchema.shape.id.safeParse(payload.id);
  if (!id.success) return { kind: "other", reason: "a contact without an id" };
  if ("reason" in contact) return { kind: "contact", contactId: id.data, contact };
  const given = payload.dndSettings !== undefined && payload.dndSettings !== null;
  const silent = (blocked: boolean | null) => (blocked || given ? blocked : null);
  return {
    kind: "contact",
    contactId: id.data,
    contact: {
      ...contact,
      callsBlocked: silent(contact.callsBlocked),
      textsBlocked: silent(contact.textsBlocked),
      updatedAt: contact.updatedAt ?? instant(webhookSchema.parse(payload).timestamp),
    },
  };
}

function noteEvent(type: string, payload: Payload): CrmEvent {
  const note = noteEventSchema.safeParse(payload);
  if (!note.success) return { kind: "other", reason: "a note that cannot be read" };
  const { id, contactId } = note.data;
  const body = type === "NoteDelete" ? null : (note.data.body ?? note.data.bodyText ?? null);
  return { kind: "note", contactId, noteId: id, note: body === null ? null : { body, text: noteText(body) } };
}

/** A call message in a webhook: flat, with `messageId` instead of `id`. */
function messageEvent(payload: Payload): CrmEvent {
  const message = messageEventSchema.safeParse(payload);
  if (!message.success) return { kind: "other", reason: "a message that cannot be read" };
  const { messageId, callDuration, callStatus, status } = message.data;
  const meta = { callDuration, callStatus: callStatus ?? status };
  const isCall = String(payload.messageType).toUpperCase().includes("CALL");
  const call = isCall ? toCall({ ...payload, id: messageId, meta }) : null;
  return call ? { kind: "call", call } : { kind: "other", reason: "no call with a sound" };
}

/** Parses the vendor's public key, given as the base64 lines of a PEM (SPKI). Errors: those of node:crypto. */
export function readPublicKey(base64: string): KeyObject {
  return createPublicKey({ key: Buffer.from(base64, "base64"), format: "der", type: "spki" });
}

/** GoHighLevel's webhooks: an Ed25519 signature over the raw body in `X-GHL-Signature` (Webhook Integration Guide). */
export function createGoHighLevelWebhooks(options: { publicKey: string }): CrmWebhooks {
  const key = readPublicKey(options.publicKey);
  return {
    isSigned(raw, signature) {
      const bytes = Buffer.from(signature, "base64");
      return bytes.length === 64 && verify(null, raw, key, bytes);
    },

    identify(payload, raw) {
      const { type, webhookId, timestamp } = webhookSchema.parse(payload);
      const content = createHash("sha256").update(raw).digest("hex");
      const sentAt = instant(timestamp);
      // An app can be installed and removed repeatedly with identical content. Without a timestamp the current hour makes the key unique.
      const moment = sentAt || !appTypes.has(type) ? "" : `:${new Date().toISOString().slice(0, 13)}`;
      return { key: webhookId ?? `content:${content}${moment}`, type: type.slice(0, 100), sentAt };
    },

    read(payload, ourLocationId) {
      const { type, locationId, timestamp } = webhookSchema.parse(payload);
      if (appTypes.has(type)) {
        const { appId, companyId } = appEventSchema.parse(payload);
        const sentAt = instant(timestamp);
        return {
          kind: "app",
          installed: type === "INSTALL",
          appId: appId ?? null,
          locationId: locationId ?? null,
          companyId: companyId ?? null,
          sentAt,
        };
      }
      if (locationId && locationId !== ourLocationId) return { kind: "other", reason: "another location" };
      if (contactTypes.has(type)) return contactEvent(payload);
      if (type === "ContactDelete") {
        const id = contactSchema.shape.id.safeParse(payload.id);
        if (!id.success) return { kind: "other", reason: "a contact without an id" };
        return { kind: "contact-deleted", contactId: id.data };
      }
      if (noteTypes.has(type)) return noteEvent(type, payload);
      if (messageTypes.has(type)) return messageEvent(payload);
      return { kind: "other", reason: "unknown type" };
    },
  };
}
