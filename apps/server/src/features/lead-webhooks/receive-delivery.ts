import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import type { WebhookSource } from "@portal/contract/entities/lead-webhook";
import { createRecordReader } from "../../domain/read-lead-record.ts";
import type { EventInbox } from "../../platform/jobs/event-inbox.ts";
import { type DeliveryPayload, findDeliveryId } from "./delivery-repository.ts";
import { readLead } from "./parse-stored.ts";
import { readBody } from "./read-body.ts";
import { isSoap } from "./read-salesforce.ts";
import type { LeadWebhooksContext } from "./service.ts";

export interface Received {
  deliveryId: number;
  /** Events found in the body. */
  received: number;
  isRepeat: boolean;
  /** Wants a SOAP answer. */
  isSoap: boolean;
  /** Why nothing of it can be taken, or null. */
  fault: string | null;
}

/** Headers by which senders name a request: a repeat carries the same. */
const idHeaders = ["x-webhook-id", "webhook-id", "x-event-id", "idempotency-key"];

/** What makes a request itself unique, where its sender says so: HubSpot's signature covers the instant of its sending. */
function requestKey(source: WebhookSource, header: (name: string) => string | undefined): string {
  const id = idHeaders.map(header).find((value) => value?.trim());
  const signature = source === "hubspot" ? header("x-hubspot-signature-v3") : undefined;
  return `${source}:${id ?? signature ?? randomUUID()}`.slice(0, 400);
}

/** Why a sender is answered that its body is of no use: it cannot be read, or none of its events is anybody. */
function faultOf(context: LeadWebhooksContext, read: ReturnType<typeof readBody>): string | null {
  if ("fault" in read) return read.fault;
  const readRecord = createRecordReader({ country: context.defaultCountry });
  let fault: string | null = null;
  for (const event of read.events) {
    if (event.kind === "ignored" || event.kind === "properties") return null;
    if (event.kind === "rejected") fault ??= event.reason;
    else {
      const lead = readLead(readRecord, event.fields, { isKnown: event.externalId !== null });
      if ("lead" in lead) return null;
      fault ??= lead.fault;
    }
  }
  return fault;
}

/** Keeps a request as it came, before anything else is done with it, and says what its sender is answered. */
export async function receiveDelivery(
  context: LeadWebhooksContext,
  inbox: Pick<EventInbox<DeliveryPayload>, "store">,
  request: {
    source: WebhookSource;
    body: Buffer;
    contentType: string;
    test: boolean;
    header: (name: string) => string | undefined;
  },
): Promise<Received> {
  const { source, test } = request;
  const contentType = request.contentType.slice(0, 200).replaceAll("\u0000", "").toWellFormed();
  const payload: DeliveryPayload = { contentType, body: decodeBody(request.body, contentType), test };
  const key = requestKey(source, request.header);
  const stored = await inbox.store({ key, kind: source, payload });
  const { organizationId } = await context.sourceAuth.keysOf(source);
  const read = readBody(source, payload, { organizationId });
  return {
    deliveryId: stored ?? (await findDeliveryId(context.database.db, key)) ?? 0,
    received: "events" in read ? read.events.length : 0,
    isRepeat: stored === null,
    isSoap: source === "salesforce" && isSoap(payload.body),
    fault: faultOf(context, read),
  };
}

const withoutBom = (text: string) => text.replace(/^\uFEFF/, "");

function decodeAs(bytes: Buffer, charset: string, fatal: boolean): string | null {
  try {
    return new TextDecoder(charset, { fatal }).decode(bytes);
  } catch {
    return null;
  }
}

/** The character set that a body names: by its first bytes, the content type, or XML's own declaration. */
function charsetOf(bytes: Buffer, contentType: string): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const named = /charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType)?.[1];
  const declared = /^\s*<\?xml[^>]{0,100}encoding\s*=\s*["']([\w.:-]{1,40})/i.exec(
    bytes.subarray(0, 200).toString("latin1"),
  )?.[1];
  return named ?? declared ?? "utf-8";
}

/** A salesforce session in an outbound message opens the whole organisation: it is not kept. */
const sessionTag = /(<(?:[\w-]{1,40}:)?SessionId\b[^>]{0,200}>)[^<]*/g;

/**
 * A body as text, in the character set that it names, else UTF-8, else Windows-1252. What the database cannot hold (U+0000, lone
 * surrogates) and Salesforce's session are left out; everything else stays as it came.
 */
function decodeBody(bytes: Buffer, contentType: string): string {
  const charset = charsetOf(bytes, contentType);
  const text =
    (/^utf-?8$/i.test(charset) ? null : decodeAs(bytes, charset, true)) ??
    (isUtf8(bytes) ? bytes.toString() : null) ??
    decodeAs(bytes, "windows-1252", false) ??
    "";
  return withoutBom(text).replaceAll("\u0000", "").toWellFormed().replace(sessionTag, "$1");
}
