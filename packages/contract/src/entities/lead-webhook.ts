import { z } from "zod";

/** Systems that send leads; each has its own webhook URL. */
export const webhookSources = ["lead", "salesforce", "hubspot", "pipedrive"] as const;
export type WebhookSource = (typeof webhookSources)[number];

/** All external sources of leads that can have a key: the webhooks and the import API. */
export const webhookSourceNames = [...webhookSources, "import"] as const;
export type WebhookSourceName = (typeof webhookSourceNames)[number];

/**
 * Who a source accepts: `keyed` requires its key, `open` accepts anyone (demo without a key), `closed` accepts nobody (production without a
 * key). Signed-in users are always accepted.
 */
export const sourceAccess = ["open", "keyed", "closed"] as const;
export type SourceAccess = (typeof sourceAccess)[number];

/**
 * Result of one event of a delivery. `waiting`: depends on a later event. `rejected`: cannot be parsed. `tested`: valid, but no lead is
 * created.
 */
export const deliveryOutcomes = [
  "created",
  "updated",
  "unchanged",
  "repeat",
  "waiting",
  "ignored",
  "rejected",
  "tested",
] as const;
export type DeliveryOutcome = (typeof deliveryOutcomes)[number];

/** State of a delivery: not processed yet, failed with a retry pending, failed, all events rejected, or done. */
export const deliveryStates = ["received", "retrying", "failed", "rejected", "done"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

const deliveryItemSchema = z.object({
  outcome: z.enum(deliveryOutcomes),
  reason: z.string().nullable(),
  leadId: z.number().nullable(),
  leadName: z.string().nullable(),
});

/** One request from a sender, and its results. */
export const leadDeliverySchema = z.object({
  id: z.number(),
  source: z.enum(webhookSources),
  receivedAt: z.string(),
  state: z.enum(deliveryStates),
  /** Why the whole delivery was rejected; null otherwise. */
  reason: z.string().nullable(),
  contentType: z.string(),
  body: z.string(),
  /** Sent by the test on the Webhooks tab: parsed, but no lead is created. */
  test: z.boolean(),
  items: z.array(deliveryItemSchema),
});
export type LeadDelivery = z.infer<typeof leadDeliverySchema>;

const keyStateSchema = z.object({
  /** The key's last four characters. */
  hint: z.string(),
  createdAt: z.string(),
  createdBy: z.string().nullable(),
  /** How long the previous key still works; null if there is none. */
  previousUntil: z.string().nullable(),
});

/** A source with its URL and the state of its key. The key itself is never returned again. */
export const webhookSourceSchema = z.object({
  source: z.enum(webhookSourceNames),
  /** The URL that senders post to. */
  address: z.string(),
  access: z.enum(sourceAccess),
  key: keyStateSchema.nullable(),
  /** HubSpot: whether the app's client secret is set, which is used to verify signatures. */
  hasClientSecret: z.boolean(),
  /** Salesforce: the id of the organization whose outbound messages are accepted; null accepts any. */
  organizationId: z.string().nullable(),
  lastDelivery: z
    .object({ at: z.string(), state: z.enum(deliveryStates), reason: z.string().nullable() })
    .nullable(),
});
export type WebhookSourceState = z.infer<typeof webhookSourceSchema>;

/** Response to a sender. */
export const webhookReceiptSchema = z.object({
  success: z.literal(true),
  message: z.string(),
  source: z.enum(webhookSources),
  deliveryId: z.number(),
  /** Number of events in the body. */
  received: z.number(),
  /** Whether the same request was already received. */
  repeat: z.boolean(),
});
