import type { Db } from "../../db/client.ts";
import type { Ticker } from "../../jobs/ticker.ts";
import { phoneTimeZone } from "../../values/phone-area.ts";
import { findLeadsWithoutZone, writeZones } from "./data-zones.ts";

const batch = 1_000;
const everyMs = 1_000;

/** Gives the next leads that were written before zones were kept theirs. Answers where to go on, or null after the last. */
export async function fillZones(db: Db, afterId: number): Promise<number | null> {
  const leads = await findLeadsWithoutZone(db, { afterId, limit: batch });
  const known = leads.flatMap((lead) => {
    const timeZone = phoneTimeZone(lead.phoneE164);
    return timeZone ? [{ ...lead, timeZone }] : [];
  });
  if (known.length > 0) await writeZones(db, known);
  return leads.length === batch ? (leads.at(-1)?.id ?? null) : null;
}

/** Walks through all leads once after the start, a batch at a time. */
export function startZoneRounds(db: Db, ticker: Ticker): void {
  let afterId: number | null = 0;
  ticker.every(everyMs, async () => {
    if (afterId !== null) afterId = await fillZones(db, afterId);
  });
}
