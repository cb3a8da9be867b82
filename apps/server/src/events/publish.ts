import type { EventTopic } from "@portal/contract/entities/event";
import type { Db } from "../db/client.ts";

export const eventChannel = "portal_events";

/** Whose streams an event goes to: the users named, always the administrators; 'all' reaches everybody. */
export type Audience = number[] | "all";

export interface PublishedEvent {
  topic: EventTopic;
  id: number;
  audience: Audience;
}

/**
 * Tells the browsers that something changed. Inside a transaction the notice leaves with the commit, so that nobody
 * fetches what is not there yet, and nothing is told of a change that was rolled back.
 */
export async function publishEvent(db: Db, event: PublishedEvent): Promise<void> {
  await db.$client.query("select pg_notify($1, $2)", [eventChannel, JSON.stringify(event)]);
}

/** The people a lead's changes concern: those among the ids that are set, each once. */
export function audienceOf(...userIds: (number | null | undefined)[]): number[] {
  return [...new Set(userIds.filter((id) => id != null))];
}
