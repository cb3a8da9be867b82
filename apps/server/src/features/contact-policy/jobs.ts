import { phoneTimeZone } from "../../domain/phone.ts";
import type { Db } from "../../platform/db/client.ts";
import type { Scheduler } from "../../platform/jobs/jobs.ts";
import { findLeadsWithoutZone, writeZones } from "./repository.ts";

const batch = 1_000;
const everyMs = 1_000;

/** Writes the time zones of the next batch of leads without one. Returns the id after which to continue, or null after the last batch. */
export async function fillZones(db: Db, afterId: number): Promise<number | null> {
  const leads = await findLeadsWithoutZone(db, { afterId, limit: batch });
  const known = leads.flatMap((lead) => {
    const timeZone = phoneTimeZone(lead.phoneE164);
    return timeZone ? [{ ...lead, timeZone }] : [];
  });
  if (known.length > 0) await writeZones(db, known);
  return leads.length === batch ? (leads.at(-1)?.id ?? null) : null;
}

/** Processes all leads once after the start, one batch at a time. */
export function startZoneJobs(db: Db, scheduler: Scheduler): void {
  let afterId: number | null = 0;
  scheduler.every(everyMs, async () => {
    if (afterId !== null) afterId = await fillZones(db, afterId);
  });
}
