import type { GoogleEvent, StoredEvent } from "./entities.ts";
import { GoogleError } from "./errors.ts";
import { momentOf } from "./event-writes.ts";
import type { GoogleData } from "./google-data.ts";

export type ListQuery = Record<string, string | undefined>;

const NOT_WITH_SYNC = [
  "iCalUID",
  "orderBy",
  "privateExtendedProperty",
  "q",
  "sharedExtendedProperty",
  "timeMin",
  "timeMax",
  "updatedMin",
];
const MAX_RESULTS = 2_500;
const USUAL_RESULTS = 250;

interface Cursor {
  /** The change number at the start of the list, from which the sync token continues. */
  began: number;
  epoch: number;
  /** Start of the page: after this change, or at this position of a list by start time. */
  after: number;
}

/** One page of events. Errors: `GoogleError` 400, 410 fullSyncRequired for an expired sync token. */
export function listEvents(data: GoogleData, account: string, query: ListQuery): Record<string, unknown> {
  const { seq, epoch } = data.counters;
  const synced = query.syncToken ? readSyncToken(query, epoch) : null;
  const page = query.pageToken ? readToken<Cursor>(query.pageToken) : null;
  const began = page?.began ?? seq;
  const limit = Math.min(numberOf(query.maxResults) ?? USUAL_RESULTS, MAX_RESULTS);
  const byStart = query.orderBy === "startTime";
  if (byStart && query.singleEvents !== "true")
    throw new GoogleError(
      400,
      "badRequest",
      "The requested ordering is not available for the particular query.",
    );

  const passing = data.events(account).filter((stored) => passes(stored, query, synced));
  const sorted = byStart
    ? passing.sort((a, b) => momentOf(a.event.start) - momentOf(b.event.start))
    : passing.sort((a, b) => a.seq - b.seq);
  const after = page?.after ?? 0;
  const rest = byStart ? sorted.slice(after) : sorted.filter((stored) => stored.seq > after);
  const shown = rest.slice(0, limit);
  const next = { began, epoch, after: byStart ? after + limit : (shown.at(-1)?.seq ?? 0) };
  const singles = query.singleEvents === "true";
  return {
    kind: "calendar#events",
    etag: `"p${seq}"`,
    summary: account,
    description: "",
    updated: new Date().toISOString(),
    timeZone: "UTC",
    accessRole: "owner",
    defaultReminders: [{ method: "popup", minutes: 30 }],
    ...(rest.length > limit
      ? { nextPageToken: writeToken(next) }
      : byStart
        ? {}
        : { nextSyncToken: writeToken({ seq: began, epoch }) }),
    items: shown.flatMap(({ event }) => (singles ? instancesOf(event) : [event])).map(presentEvent),
  };
}

/** For a deleted event only the id is guaranteed. */
export function presentEvent(event: GoogleEvent): unknown {
  if (event.status !== "cancelled") return event;
  return { kind: event.kind, etag: event.etag, id: event.id, status: event.status };
}

function passes({ seq, event }: StoredEvent, query: ListQuery, synced: number | null): boolean {
  if (synced !== null) return seq > synced;
  if (event.status === "cancelled" && query.showDeleted !== "true") return false;
  const from = query.timeMin ? Date.parse(query.timeMin) : Number.NEGATIVE_INFINITY;
  const to = query.timeMax ? Date.parse(query.timeMax) : Number.POSITIVE_INFINITY;
  const occurrences = instancesOf(event);
  return occurrences.some(({ start, end }) => momentOf(end) > from && momentOf(start) < to);
}

/** The occurrences of an event that repeats daily or weekly a given number of times; otherwise the event itself. */
function instancesOf(event: GoogleEvent): GoogleEvent[] {
  const rule = /^RRULE:FREQ=(DAILY|WEEKLY);COUNT=(\d+)$/.exec(event.recurrence?.[0] ?? "");
  if (!rule || event.status === "cancelled") return [event];
  const { recurrence: _recurrence, ...single } = event;
  const step = (rule[1] === "DAILY" ? 1 : 7) * 86_400_000;
  return Array.from({ length: Number(rule[2]) }, (_value, index) => {
    const moved = (time: GoogleEvent["start"]) => ({
      ...time,
      dateTime: new Date(momentOf(time) + index * step).toISOString().replace(".000Z", "Z"),
    });
    const start = moved(event.start);
    return {
      ...single,
      id: `${event.id}_${start.dateTime.replace(/[-:]/g, "")}`,
      recurringEventId: event.id,
      originalStartTime: start,
      start,
      end: moved(event.end),
    };
  });
}

function readSyncToken(query: ListQuery, epoch: number): number {
  if (NOT_WITH_SYNC.some((name) => query[name] !== undefined))
    throw new GoogleError(400, "invalid", "Sync token cannot be used with other query restrictions.");
  const token = readToken<{ seq: number; epoch: number }>(query.syncToken ?? "");
  if (token.epoch !== epoch)
    throw new GoogleError(410, "fullSyncRequired", "Sync token is no longer valid, a full sync is required.");
  return token.seq;
}

function writeToken(token: object): string {
  return Buffer.from(JSON.stringify(token)).toString("base64url");
}

function readToken<Token>(text: string): Token {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString()) as Token;
  } catch {
    throw new GoogleError(400, "invalid", "Invalid Value");
  }
}

function numberOf(text: string | undefined): number | undefined {
  const number = Number(text);
  return text === undefined || !(number >= 1) ? undefined : number;
}
