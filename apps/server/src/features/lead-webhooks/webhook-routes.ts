import type { WebhookSource } from "@portal/contract/entities/lead-webhook";
import type { Route } from "@portal/contract/route";
import * as contract from "@portal/contract/routes/lead-webhooks";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../../platform/http/app-error.ts";
import { createWorker } from "../../platform/jobs/event-inbox.ts";
import { receiveDelivery } from "./receive-delivery.ts";
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
