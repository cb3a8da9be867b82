import { iso } from "./contacts.ts";
import type { TableWriter } from "./copy.ts";
import { stepsOf } from "./dialing.ts";
import type { World } from "./world.ts";

/** Deliveries of other systems with their results. */
export async function writeDeliveries(writer: TableWriter, { deliveries }: World): Promise<void> {
  await writer.copy("provider_events", deliveries, {
    id: ({ id }) => id,
    source: () => "lead-webhook",
    event_key: ({ key }) => key,
    kind: ({ source }) => source,
    payload: ({ body }) => ({ contentType: "application/json", body: JSON.stringify(body), test: false }),
    received_at: ({ at }) => iso(at),
    processed_at: ({ processedAt }) => iso(processedAt),
    attempts: ({ attempts }) => attempts,
    error: ({ error }) => error,
  });
  const items = deliveries.flatMap(({ id, source, items: of }) =>
    of.map((item) => ({ ...item, id, source })),
  );
  await writer.copy("lead_delivery_items", items, {
    delivery_id: ({ id }) => id,
    source: ({ source }) => source,
    outcome: ({ outcome }) => outcome,
    reason: ({ reason }) => reason,
    lead_id: ({ lead }) => lead?.id,
  });
  const made = deliveries.flatMap(({ source, externalId, at, items: [item] }) =>
    externalId && item?.outcome === "created" ? [{ source, externalId, at, lead: item.lead }] : [],
  );
  await writer.copy("lead_origins", made, {
    source: ({ source }) => source,
    external_id: ({ externalId }) => externalId,
    lead_id: ({ lead }) => lead?.id,
    updated_at: ({ at }) => iso(at),
  });
}

/** The auto-dialer's sessions, with their leads and steps. */
export async function writeSessions(writer: TableWriter, { sessions }: World): Promise<void> {
  const steps = sessions.flatMap((session) => stepsOf(session).map((step) => ({ ...step, session })));
  await writer.copy("dialer_sessions", sessions, {
    id: ({ id }) => id,
    user_id: ({ rep }) => rep.id,
    status: ({ status }) => status,
    phase: () => "waiting",
    position: ({ position }) => position,
    total: ({ items }) => items.length,
    delay_seconds: () => 5,
    order: () => "smart",
    source: () => ({ kind: "filter", status: "all" }),
    watched_at: ({ endedAt }) => iso(endedAt),
    started_at: ({ startedAt }) => iso(startedAt),
    ended_at: ({ endedAt }) => iso(endedAt),
    closed_at: ({ closedAt }) => iso(closedAt),
    version: (session) => stepsOf(session).length,
  });
  const items = sessions.flatMap(({ id, items: of }) =>
    of.map((item, position) => ({ ...item, id, position })),
  );
  await writer.copy("dialer_items", items, {
    session_id: ({ id }) => id,
    position: ({ position }) => position,
    lead_id: ({ lead }) => lead.id,
    state: ({ state }) => state,
    reason: ({ state }) => (state === "skipped" ? "consultant" : null),
    call_id: ({ call }) => call?.id,
    dialled_at: ({ dialledAt }) => iso(dialledAt),
    settled_at: ({ settledAt }) => iso(settledAt),
  });
  await writer.copy("dialer_steps", steps, {
    session_id: ({ session }) => session.id,
    position: ({ position }) => position,
    kind: ({ kind }) => kind,
    data: ({ data }) => data,
    at: ({ at }) => iso(at),
  });
}
