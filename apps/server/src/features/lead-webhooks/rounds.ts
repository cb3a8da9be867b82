import type { Ticker } from "../../jobs/ticker.ts";
import { deliveriesOf, type LeadWebhooksContext } from "./service.ts";

const deliveriesMs = 2_000;

/** A short round beside the requests: deliveries that a crash left behind, and those to be tried again. */
export function startDeliveryRounds(context: LeadWebhooksContext, ticker: Ticker): void {
  ticker.every(deliveriesMs, () => deliveriesOf(context).work());
}
