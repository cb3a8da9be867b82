import { randomUUID } from "node:crypto";
import type { WebhookSource } from "@portal/contract/entities/lead-webhook";
import type { EventInbox } from "../../jobs/event-inbox.ts";
import { createRecordReader } from "../../values/read-lead-record.ts";
import { type DeliveryPayload, findDeliveryId } from "./data-deliveries.ts";
import { decodeBody } from "./decode-body.ts";
import { readBody } from "./read-body.ts";
import { readLead } from "./read-lead.ts";
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

/** Why a sender is told that its body is of no use: it cannot be read, or none of its events is anybody. */
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

/** Keeps a request as it came, before anything else is done with it, and says what its sender should hear. */
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
  const { organizationId } = await context.intake.keysOf(source);
  const read = readBody(source, payload, { organizationId });
  return {
    deliveryId: stored ?? (await findDeliveryId(context.database.db, key)) ?? 0,
    received: "events" in read ? read.events.length : 0,
    isRepeat: stored === null,
    isSoap: source === "salesforce" && isSoap(payload.body),
    fault: faultOf(context, read),
  };
}
