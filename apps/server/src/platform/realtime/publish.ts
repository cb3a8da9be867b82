import type { EventTopic } from "@portal/contract/entities/event";
import type { Db } from "../db/client.ts";
import { execute, sql } from "../db/query.ts";

export const eventChannel = "portal_events";

/** Whose streams receive an event: the given users and always the administrators; 'all' means everybody. */
export type Audience = number[] | "all";

export interface PublishedEvent {
  topic: EventTopic;
  id: number;
  audience: Audience;
}

/** PostgreSQL's limit for a payload is 8,000 bytes; this many ids of ten digits and everything else always fit. */
const audienceMax = 500;

function parts(audience: Audience): Audience[] {
  if (audience === "all" || audience.length <= audienceMax) return [audience];
  const count = Math.ceil(audience.length / audienceMax);
  return Array.from({ length: count }, (_value, index) =>
    audience.slice(index * audienceMax, (index + 1) * audienceMax),
  );
}

/** The payloads of an event's notifications. */
export const payloadsOf = (event: PublishedEvent): string[] =>
  parts(event.audience).map((audience) => JSON.stringify({ ...event, audience }));

/**
 * Notifies the browsers of a change. Inside a transaction the notification is sent with the commit, so that nobody reads data that is not
 * there yet, and nobody is notified of a change that was rolled back.
 */
export async function publishEvent(db: Db, event: PublishedEvent): Promise<void> {
  for (const payload of payloadsOf(event)) {
    await execute(db, sql`select pg_notify(${eventChannel}, ${payload})`, { prepared: true });
  }
}

/** The users concerned by a lead's changes: the ids that are set, each once. */
export function audienceOf(...userIds: (number | null | undefined)[]): number[] {
  return [...new Set(userIds.filter((id) => id != null))];
}
