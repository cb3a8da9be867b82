import type { EventTopic, LiveEvent } from "@portal/contract/entities/event";
import { getAllLeadsStats, listAllLeads } from "@portal/contract/routes/all-leads";
import { listLeads } from "@portal/contract/routes/leads";
import type { QueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { noteStream } from "./connection.ts";
import { invalidateBelowLeads, notifyLeadUpdate, readChangedLeads } from "./lead-updates.ts";
import { page } from "./navigation.ts";
import { invalidatePaths, readsPath } from "./query-client.ts";

const STREAM_PATH = "/api/events";
const SHARED_NAME = "lead-desk.events";
const BATCH_MS = 250;
/** Minimum interval for refetching lists while an import or a sync changes many leads, page after page. */
const LISTS_MS = 2_000;
/** Minimum interval for refetching figures over many rows. */
const FIGURES_MS = 5_000;
/** If another tab holds the stream and no `opened` arrives within this time, the page's preloaded data is fetched again. */
const PRELOADED_MS = 2_000;
/** The server sends a heartbeat every 15 s. A stream that is silent for longer is lost, even if the browser does not report it. */
const SILENCE_MS = 40_000;
const RETRY_MS = [1_000, 2_000, 5_000, 10_000, 30_000] as const;

/** Paths whose queries a topic makes stale, including paths below them. */
const PATHS_BY_TOPIC: Record<EventTopic, readonly string[]> = {
  lead: [getAllLeadsStats.path, "/api/dashboard-stats", "/api/follow-ups", "/api/today"],
  "all-leads": [listAllLeads.path],
  call: ["/api/calls", "/api/dialer"],
  "call-log": [
    ...["/api/call-logs", "/api/dashboard-stats", "/api/follow-ups", "/api/notices", "/api/inbox"],
    "/api/today",
  ],
  "crm-sync": ["/api/ghl/sync-runs", "/api/ghl/rejects", "/api/ghl/deletions"],
  "crm-outbox": ["/api/ghl/outbox"],
  "crm-connection": ["/api/crm/connection", "/api/ghl/status"],
  sms: ["/api/sms", "/api/scheduled-sms", "/api/notices", "/api/inbox", "/api/today"],
  recording: ["/api/call-logs", "/api/twilio/recordings"],
  "inbound-call": ["/api/call-logs", "/api/calls/live", "/api/dialer", "/api/inbox", "/api/today"],
  import: ["/api/imports"],
  "webhook-source": ["/api/webhook-sources"],
  "webhook-delivery": ["/api/webhook-sources", "/api/webhook-deliveries"],
  dialer: ["/api/dialer"],
  meeting: ["/api/calendar", "/api/google"],
  "admin-alert": ["/api/notices"],
  "go-live": ["/api/go-live"],
  "bulk-change": ["/api/bulk-changes"],
  "lead-merge": ["/api/lead-merges", "/api/leads/duplicates"],
  "saved-view": ["/api/saved-views"],
  "sms-template": ["/api/sms/templates"],
  "voicemail-message": ["/api/voicemail-messages"],
  availability: ["/api/today", "/api/availability", "/api/team", "/api/admin/live"],
  team: ["/api/team", "/api/sales-reps", "/api/availability"],
  session: [
    "/api/current-user",
    "/api/admin/session-check",
    "/api/sessions",
    "/api/sign-ins",
    "/api/settings",
  ],
};
/**
 * The id of the lead to fetch, or 0 for the lists. Messages without a lead are of unknown numbers, which no list of leads shows.
 */
const leadOf = ({ topic, id }: LiveEvent): number | undefined =>
  topic === "lead" || (topic === "sms" && id !== 0) ? id : undefined;
/** Topics that appear in some lead's history. */
const HISTORY_TOPICS: readonly EventTopic[] = ["call-log", "meeting"];
/** Paths of figures that are expensive for the server, refetched less often. */
const FIGURES_BY_TOPIC: Partial<Record<EventTopic, readonly string[]>> = {
  lead: ["/api/reports", "/api/analytics", "/api/clients"],
  "all-leads": ["/api/reports", "/api/analytics", "/api/clients"],
  "call-log": ["/api/reports", "/api/analytics", "/api/clients"],
  "inbound-call": ["/api/reports"],
  sms: ["/api/reports"],
};
const LIVE_PATHS = [
  ...new Set([
    listLeads.path,
    ...[PATHS_BY_TOPIC, FIGURES_BY_TOPIC].flatMap((of) => Object.values(of).flat()),
  ]),
].filter((path) => !PATHS_BY_TOPIC.session.includes(path));

/** Messages between the tabs of a browser, one of which holds the stream for all. */
type Signal = { kind: "event"; event: LiveEvent } | { kind: "opened" | "refused" | "polled" };

type Handler = (event: LiveEvent) => void;
const handlers = new Map<EventTopic, Set<Handler>>();

/**
 * Runs `handler` for every live event of a topic while the component is mounted; for call logs also after a gap (id 0). Queries refetch
 * without it.
 */
export function useLiveEvents(topic: EventTopic, handler: Handler): void {
  const onEvent = useEffectEvent(handler);
  useEffect(() => {
    const listener: Handler = (event) => onEvent(event);
    const ofTopic = handlers.get(topic) ?? new Set();
    handlers.set(topic, ofTopic.add(listener));
    return () => {
      ofTopic.delete(listener);
    };
  }, [topic]);
}

const notifyHandlers = (event: LiveEvent) =>
  handlers.get(event.topic)?.forEach((handler) => void handler(event));

/**
 * Receives live events until the returned function is called. Tabs share one stream, because HTTP/1.1 allows six connections: the tab that
 * holds the lock reads the stream and forwards events to the others. Without Web Locks (plain http in a LAN) each tab reads its own.
 */
export function startLiveEvents(client: QueryClient): () => void {
  const stopped = new AbortController();
  const channel = new BroadcastChannel(SHARED_NAME);
  const refresh = batchReads(client, stopped.signal, BATCH_MS);
  const refreshLists = batchReads(client, stopped.signal, LISTS_MS);
  const refreshFigures = batchReads(client, stopped.signal, FIGURES_MS);

  let hasOpened = false;
  /**
   * Anything fetched before the stream opened may have missed an event. After an outage (`isBack`) queries that failed meanwhile are
   * fetched too.
   */
  const catchUp = (isBack = false) => {
    clearTimeout(catchingUp);
    notifyLeadUpdate("all");
    notifyHandlers({ topic: "call-log", id: 0 });
    void client.invalidateQueries({
      predicate: ({ state, queryKey }) =>
        state.data === undefined && state.fetchStatus === "idle"
          ? isBack && state.error instanceof TypeError
          : readsPath({ queryKey }, LIVE_PATHS),
    });
  };
  const catchingUp = setTimeout(catchUp, PRELOADED_MS);

  const receive = (signal: Signal) => {
    // A sign-out ends the session before its response arrives; refetching would only print a 401.
    if (page.isLeaving) return;
    if (signal.kind === "event") {
      const { topic } = signal.event;
      const leadId = leadOf(signal.event);
      (leadId === 0 ? refreshLists : refresh)({
        paths: PATHS_BY_TOPIC[topic],
        leadId,
        isHistory: HISTORY_TOPICS.includes(topic),
      });
      refreshFigures({ paths: FIGURES_BY_TOPIC[topic] ?? [] });
      notifyHandlers(signal.event);
    } else if (signal.kind === "polled") {
      catchUp();
    } else if (signal.kind === "opened") {
      catchUp(hasOpened);
      hasOpened = true;
    } else {
      refresh({ paths: PATHS_BY_TOPIC.session });
    }
  };
  channel.onmessage = ({ data }: MessageEvent<Signal>) => receive(data);

  const shared = "locks" in navigator;
  const publish = (signal: Signal) => {
    receive(signal);
    if (shared && !stopped.signal.aborted) channel.postMessage(signal);
  };
  const read = () => readStream(publish, stopped.signal);
  if (shared) {
    // The request is aborted if this tab stops while waiting for the lock.
    navigator.locks.request(SHARED_NAME, { signal: stopped.signal }, read).catch(() => undefined);
  } else void read();

  return () => {
    clearTimeout(catchingUp);
    stopped.abort();
    channel.close();
  };
}

/**
 * Keeps the stream open until `stopped`, reconnecting after every refusal and after a silence. While the server refuses repeatedly (it limits the number of
 * streams) the page refetches its data at each attempt instead.
 */
async function readStream(publish: (signal: Signal) => void, stopped: AbortSignal): Promise<void> {
  for (let refusals = 0; !stopped.aborted; refusals += 1) {
    await new Promise<void>((resolve) => {
      const source = new EventSource(STREAM_PATH);
      let silence: ReturnType<typeof setTimeout>;
      const end = () => {
        clearTimeout(silence);
        stopped.removeEventListener("abort", end);
        source.close();
        resolve();
      };
      const heard = () => {
        clearTimeout(silence);
        silence = setTimeout(() => {
          void noteStream(false);
          end();
        }, SILENCE_MS);
      };
      heard();
      stopped.addEventListener("abort", end, { once: true });
      source.onopen = () => {
        heard();
        refusals = 0;
        void noteStream(true);
        publish({ kind: "opened" });
      };
      // The server's own subscription to events was interrupted.
      source.addEventListener("refetch", () => publish({ kind: "opened" }));
      source.addEventListener("alive", heard);
      source.onmessage = ({ data }: MessageEvent<string>) => {
        heard();
        const event = parseEvent(data);
        if (event) publish({ kind: "event", event });
      };
      source.onerror = () => {
        void noteStream(false);
        // The browser reconnects after a broken connection, but not after a refusal such as 401.
        if (source.readyState === EventSource.CLOSED) end();
      };
    });
    if (stopped.aborted) return;
    publish({ kind: "refused" });
    if (refusals > 0) publish({ kind: "polled" });
    await pause(RETRY_MS[Math.min(refusals, RETRY_MS.length - 1)] ?? 0, stopped);
  }
}

function parseEvent(data: string): LiveEvent | undefined {
  try {
    const event = JSON.parse(data) as LiveEvent;
    return event.topic in PATHS_BY_TOPIC ? event : undefined;
  } catch {
    return undefined;
  }
}

/** What one event makes stale. */
interface OutOfDate {
  paths: readonly string[];
  /** Id of the changed lead; 0 if the event names none. */
  leadId?: number | undefined;
  /** Some lead's history is stale. */
  isHistory?: boolean;
}

/** Refetches at once for the first event and then in batches, so that a sync of a thousand leads does not cause a thousand fetches. */
function batchReads(
  client: QueryClient,
  stopped: AbortSignal,
  everyMs: number,
): (outOfDate: OutOfDate) => void {
  const paths = new Set<string>();
  const leadIds = new Set<number>();
  let hasHistory = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    if ((paths.size === 0 && leadIds.size === 0) || stopped.aborted) return;
    timer = setTimeout(flush, everyMs);
    const counted = invalidatePaths(client, [...paths]);
    if (hasHistory) void invalidateBelowLeads(client, null);
    if (leadIds.size > 0) void readChangedLeads(client, [...leadIds], counted);
    paths.clear();
    leadIds.clear();
    hasHistory = false;
  };
  return ({ paths: more, leadId, isHistory = false }) => {
    for (const path of more) paths.add(path);
    if (leadId !== undefined) leadIds.add(leadId);
    hasHistory ||= isHistory;
    if (timer === undefined) flush();
  };
}

/** Waits, but ends early when the network is back or the listener stops. */
function pause(ms: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      stopped.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener("online", end);
    stopped.addEventListener("abort", end);
  });
}
