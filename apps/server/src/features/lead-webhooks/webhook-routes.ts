import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import type { WebhookSource } from "@portal/contract/entities/lead-webhook";
import type { Route } from "@portal/contract/route";
import * as contract from "@portal/contract/routes/lead-webhooks";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { createRecordReader } from "../../domain/read-lead-record.ts";
import { AppError } from "../../platform/http/app-error.ts";
import { createWorker, type EventInbox } from "../../platform/jobs/event-inbox.ts";
import { readLead } from "./parse-stored.ts";
import { readBody } from "./read-body.ts";
import { isSoap } from "./read-salesforce.ts";
import { type DeliveryPayload, findDeliveryId } from "./repository.ts";
import { deliveriesOf, type LeadWebhooksContext } from "./service.ts";

/** Enough for a batch of a hundred events. */
const bodyLimit = 1024 * 1024;

const routes: Record<WebhookSource, Route> = {
  lead: contract.receiveLead,
  salesforce: contract.receiveSalesforce,
  hubspot: contract.receiveHubspot,
  pipedrive: contract.receivePipedrive,
};

/** Interval at which incoming deliveries are processed together. */
const gatherMs = 50;

/** The acknowledgement that Salesforce expects (SOAP API guide, outbound messaging); without it the message is repeated for 24 hours. */
const ack = `<?xml version="1.0" encoding="UTF-8"?>
<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body><notificationsResponse xmlns="http://soap.sforce.com/2005/09/outbound"><Ack>true</Ack></notificationsResponse></soapenv:Body></soapenv:Envelope>
`;

/** Whether the request is a test from the Webhooks tab. Only a signed-in person can request that no lead is created. */
function isTest(request: FastifyRequest): boolean {
  return request.admittedBy === "session" && request.headers["x-webhook-test"] !== undefined;
}

/**
 * Receives leads from other systems, authenticated by key, signature or session. A request is stored by one insert, answered, and processed
 * afterwards. Any content type is stored; a body that cannot be parsed is answered with 400 but stored too.
 */
export async function registerLeadWebhooks(
  app: FastifyInstance,
  context: LeadWebhooksContext,
): Promise<{ wake(): void }> {
  const inbox = deliveriesOf(context);
  const worker = createWorker(
    inbox.work,
    (error) => context.log.error({ err: error }, "deliveries not worked"),
    { gatherMs },
  );
  app.decorateRequest("admittedBy", null);
  await app.register(async (scope) => {
    scope.addHook("onClose", worker.settled);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit }, (_request, body, done) =>
      done(null, body),
    );
    for (const [name, route] of Object.entries(routes)) {
      const source = name as WebhookSource;
      scope.route({
        method: route.method,
        url: route.path,
        schema: { summary: route.summary, body: route.body, response: { 200: route.response } },
        // The handler gets the raw bytes; the schema is only for the API description.
        validatorCompiler: () => (value: unknown) => ({ value }),
        onRequest: context.sourceAuth.checkHead(source),
        preValidation: context.sourceAuth.checkBody(source),
        handler: async (request, reply) => {
          const encoding = request.headers["content-encoding"];
          if (encoding && encoding !== "identity")
            throw new AppError("unsupported_media_type", "Send the body without a content encoding.");
          const received = await receiveDelivery(context, inbox, {
            source,
            body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
            contentType: request.headers["content-type"] ?? "",
            test: isTest(request),
            header: (header) => {
              const value = request.headers[header];
              return typeof value === "string" ? value : undefined;
            },
          });
          worker.wake();
          const { deliveryId, isRepeat, fault } = received;
          if (fault) throw new AppError("invalid", `${fault} The body is kept as delivery ${deliveryId}.`);
          if (received.isSoap) return reply.type("text/xml; charset=utf-8").send(ack);
          return {
            success: true,
            message: isRepeat ? "Webhook received before" : "Webhook received",
            source,
            deliveryId,
            received: received.received,
            repeat: isRepeat,
          };
        },
      });
    }
  });
  return worker;
}

interface Received {
  deliveryId: number;
  /** Number of events in the body. */
  received: number;
  isRepeat: boolean;
  /** The sender needs a SOAP response. */
  isSoap: boolean;
  /** Why nothing of it can be ingested, or null. */
  fault: string | null;
}

/** Headers with the sender's id of a request, equal in a repeat. */
const idHeaders = ["x-webhook-id", "webhook-id", "x-event-id", "idempotency-key"];

/** A key that is unique for a request, if the sender gives one. HubSpot's signature includes the time of sending. */
function requestKey(source: WebhookSource, header: (name: string) => string | undefined): string {
  const id = idHeaders.map(header).find((value) => value?.trim());
  const signature = source === "hubspot" ? header("x-hubspot-signature-v3") : undefined;
  return `${source}:${id ?? signature ?? randomUUID()}`.slice(0, 400);
}

/** Why a body is rejected: it cannot be parsed, or none of its events identifies a person. */
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

/** Stores a request as received before anything else, and returns the data for the response. */
async function receiveDelivery(
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

/** The character set of a body: by its first bytes, the content type, or the XML declaration. */
function charsetOf(bytes: Buffer, contentType: string): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const named = /charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType)?.[1];
  const declared = /^\s*<\?xml[^>]{0,100}encoding\s*=\s*["']([\w.:-]{1,40})/i.exec(
    bytes.subarray(0, 200).toString("latin1"),
  )?.[1];
  return named ?? declared ?? "utf-8";
}

/** The Salesforce session id in an outbound message gives access to the whole organization, so it is not stored. */
const sessionTag = /(<(?:[\w-]{1,40}:)?SessionId\b[^>]{0,200}>)[^<]*/g;

/**
 * A body as text in its declared character set, else UTF-8, else Windows-1252. What the database cannot store (U+0000, lone surrogates) and
 * Salesforce's session are removed; everything else stays.
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
