import type { WebhookSource } from "@portal/contract/entities/lead-webhook";
import { webhookSamples } from "@portal/contract/webhook-samples";

/** The sample of a source, as text to be sent. */
export function sampleOf(source: WebhookSource, id: string): string {
  return JSON.stringify(webhookSamples[source](id), null, 2);
}
