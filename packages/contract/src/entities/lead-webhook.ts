import { z } from "zod";

/** Systems that send leads in, each at an address of its own. */
export const webhookSources = ["lead", "salesforce", "hubspot", "pipedrive"] as const;
export type WebhookSource = (typeof webhookSources)[number];

/** Everything that takes leads in from outside and can have a key: the webhooks and the import API. */
export const webhookSourceNames = [...webhookSources, "import"] as const;
export type WebhookSourceName = (typeof webhookSourceNames)[number];

/**
 * Who a source lets in: `keyed` the holder of its key, `open` anybody (demo without a key), `closed` nobody (production without a key).
 * A signed-in person is let in always.
 */
export const sourceAccess = ["open", "keyed", "closed"] as const;
export type SourceAccess = (typeof sourceAccess)[number];

/** What became of one event of a delivery. `waiting` needs a later event; `rejected` cannot be read; `tested` would have been taken. */
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

/** What became of a delivery as a whole: not worked yet, an error that is tried again, all rejected, or done. */
export const deliveryStates = ["received", "retrying", "failed", "rejected", "done"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

const deliveryItemSchema = z.object({
  outcome: z.enum(deliveryOutcomes),
  reason: z.string().nullable(),
  leadId: z.number().nullable(),
  leadName: z.string().nullable(),
});

/** One request as a sender made it, and what it led to. */
export const leadDeliverySchema = z.object({
  id: z.number(),
  source: z.enum(webhookSources),
  receivedAt: z.string(),
  state: z.enum(deliveryStates),
  /** Why it was not taken, where that holds for all of it. */
  reason: z.string().nullable(),
  contentType: z.string(),
  body: z.string(),
  /** Sent by the test of the Webhooks tab: read, but no lead is made of it. */
  test: z.boolean(),
  items: z.array(deliveryItemSchema),
});
export type LeadDelivery = z.infer<typeof leadDeliverySchema>;

const keyStateSchema = z.object({
  /** The last four characters. */
  hint: z.string(),
  createdAt: z.string(),
  createdBy: z.string().nullable(),
  /** Until when the key before this one still works, or null. */
  previousUntil: z.string().nullable(),
});

/** A source with its address and the state of its key; the key itself is never answered again. */
export const webhookSourceSchema = z.object({
  source: z.enum(webhookSourceNames),
  /** Where senders post to. */
  address: z.string(),
  access: z.enum(sourceAccess),
  key: keyStateSchema.nullable(),
  /** HubSpot: whether the app's client secret is set, by which its signatures are checked. */
  hasClientSecret: z.boolean(),
  /** Salesforce: the organisation whose outbound messages are taken; null takes any. */
  organizationId: z.string().nullable(),
  lastDelivery: z
    .object({ at: z.string(), state: z.enum(deliveryStates), reason: z.string().nullable() })
    .nullable(),
});
export type WebhookSourceState = z.infer<typeof webhookSourceSchema>;

/** Answer to a sender. */
export const webhookReceiptSchema = z.object({
  success: z.literal(true),
  message: z.string(),
  source: z.enum(webhookSources),
  deliveryId: z.number(),
  /** Events found in the body. */
  received: z.number(),
  /** A repeat of a request that was kept before. */
  repeat: z.boolean(),
});
