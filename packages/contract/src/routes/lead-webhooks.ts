import { z } from "zod";
import { idSchema, text } from "../entities/fields.ts";
import {
  leadDeliverySchema,
  type WebhookSource,
  webhookReceiptSchema,
  webhookSourceNames,
  webhookSourceSchema,
  webhookSources,
} from "../entities/lead-webhook.ts";
import { defineRoute } from "../route.ts";
import { webhookSamples } from "../webhook-samples.ts";

const webhook = <const Source extends WebhookSource>(source: Source, summary: string) =>
  defineRoute({
    method: "POST",
    path: `/api/webhook/${source}` as const,
    summary,
    body: z.unknown().meta({
      description: "The sender's own payload, kept as it comes",
      example: webhookSamples[source]("1"),
    }),
    response: webhookReceiptSchema,
  });

/**
 * A lead in plain fields, as JSON or form data. Errors: `unauthenticated`, `invalid` (stored all the same), `too_large`, `rate_limited`.
 */
export const receiveLead = webhook("lead", "Receive a lead from any system");
/** Salesforce: JSON of a flow, or a SOAP outbound message, which is answered with its Ack. Errors: see `receiveLead`. */
export const receiveSalesforce = webhook("salesforce", "Receive leads from Salesforce");
/** HubSpot: a workflow's contact, or a batch of an app's events. Errors: see `receiveLead`. */
export const receiveHubspot = webhook("hubspot", "Receive contacts from HubSpot");
/** Pipedrive: persons, webhooks v1 and v2. Errors: see `receiveLead`. */
export const receivePipedrive = webhook("pipedrive", "Receive persons from Pipedrive");

/** All sources with their URL, access, key state and last delivery; never the key itself. */
export const listWebhookSources = defineRoute({
  method: "GET",
  path: "/api/webhook-sources",
  summary: "Webhook sources and the status of their keys",
  response: z.array(webhookSourceSchema),
});

const sourceParams = z.object({ source: z.enum(webhookSourceNames) });

/** Creates or rotates a source's key, which is only shown this once. The previous key works for another 24 hours. */
export const createSourceKey = defineRoute({
  method: "POST",
  path: "/api/webhook-sources/:source/key",
  summary: "Create or rotate the key of a webhook source",
  params: sourceParams,
  response: z.object({ key: z.string(), source: webhookSourceSchema }),
});

/** Revokes a source's key at once, including the previous one. */
export const removeSourceKey = defineRoute({
  method: "DELETE",
  path: "/api/webhook-sources/:source/key",
  summary: "Remove the key of a webhook source",
  params: sourceParams,
  response: webhookSourceSchema,
});

/** Sets values from the sender's system: HubSpot's client secret, Salesforce's organization id; null removes them. Errors: `invalid`. */
export const updateWebhookSource = defineRoute({
  method: "PATCH",
  path: "/api/webhook-sources/:source",
  summary: "Set HubSpot's client secret or Salesforce's organization",
  params: sourceParams,
  body: z.strictObject({
    clientSecret: text(200).min(8, "Must have at least 8 characters").nullable().optional(),
    organizationId: z
      .string()
      .regex(/^00D[A-Za-z0-9]{12}([A-Za-z0-9]{3})?$/, "Must be an id such as 00D000000000001")
      .nullable()
      .optional(),
  }),
  response: webhookSourceSchema,
});

/** The last 50 deliveries of a source, newest first, with their bodies; administrators only. */
export const listWebhookDeliveries = defineRoute({
  method: "GET",
  path: "/api/webhook-deliveries",
  summary: "Recent deliveries of a webhook source",
  query: z.object({ source: z.enum(webhookSources) }),
  response: z.array(leadDeliverySchema),
});

/** Processes a stored delivery again, as received; nothing is created twice. Errors: `not_found`. */
export const replayWebhookDelivery = defineRoute({
  method: "POST",
  path: "/api/webhook-deliveries/:id/replay",
  summary: "Replay a delivery",
  params: z.object({ id: idSchema }),
  response: z.object({ message: z.string() }),
});
