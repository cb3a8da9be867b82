/** US dollars for a minute of a call, a segment of an SMS, a minute of a recording (about Twilio's prices in the US). */
const CALL_MINUTE = 0.014;
const SEGMENT = 0.0079;
const RECORDING_MINUTE = 0.0025;

/** When prices become available: simulated milliseconds after the end; null for never. */
export interface PriceRules {
  afterMs: number | null;
}

/** As at Twilio, a price becomes available some time after the end, and is null until then. */
export const PRICE_RULES: PriceRules = { afterMs: 60_000 };

const BILLED = new Set(["completed", "sent", "delivered", "undelivered"]);

function priceOf(resource: Record<string, unknown>): number {
  if (resource.num_segments !== undefined) return SEGMENT * Number(resource.num_segments);
  const minutes = Math.max(1, Math.ceil(Number(resource.duration) / 60));
  return minutes * (resource.media_url === undefined ? CALL_MINUTE : RECORDING_MINUTE);
}

/** Sets the price of a resource, or of each one on a page, whose end is long enough ago. `speed` is that of simulated time. */
export function withPrices(payload: unknown, { afterMs }: PriceRules, speed: number): unknown {
  if (afterMs === null || typeof payload !== "object" || payload === null) return payload;
  const page = payload as Record<string, unknown>;
  const rows = page.calls ?? page.messages ?? page.recordings;
  for (const resource of (Array.isArray(rows) ? rows : [page]) as Record<string, unknown>[]) {
    const sinceMs = (Date.now() - Date.parse(String(resource.date_updated))) * speed;
    if (resource.price === null && BILLED.has(String(resource.status)) && sinceMs >= afterMs)
      resource.price = (-priceOf(resource)).toFixed(5);
  }
  return payload;
}
