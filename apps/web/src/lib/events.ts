import type { EventTopic, LiveEvent } from "@portal/contract/entities/event";
import { getAllLeadsStats } from "@portal/contract/routes/all-leads";
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
/** Figures over many rows are read again at most this often. */
const FIGURES_MS = 5_000;
/** After so long what the page read first is read again, where another tab holds the stream and none opens here. */
const PRELOADED_MS = 2_000;
const RETRY_MS = [1_000, 2_000, 5_000, 10_000, 30_000] as const;

/** What each topic makes out of date: queries at these paths and below them. */
const PATHS_BY_TOPIC: Record<EventTopic, readonly string[]> = {
  lead: [getAllLeadsStats.path, "/api/dashboard-stats", "/api/follow-ups", "/api/today"],
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
/** Topics whose id is a lead's: that lead is read again, where there is none (0) the pages are. */
const LEAD_TOPICS: readonly EventTopic[] = ["lead", "sms"];
/** What they are about stands in the history of some lead. */
const HISTORY_TOPICS: readonly EventTopic[] = ["call-log", "meeting"];
/** The same for figures that take the server longer. */
const FIGURES_BY_TOPIC: Partial<Record<EventTopic, readonly string[]>> = {
  lead: ["/api/reports", "/api/analytics", "/api/clients"],
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

/** Passed between the tabs of a browser: one of them holds the stream for all. */
type Signal = { kind: "event"; event: LiveEvent } | { kind: "opened" | "refused" | "polled" };

type Handler = (event: LiveEvent) => void;
const handlers = new Map<EventTopic, Set<Handler>>();

/**
 * Runs `handler` for every live event of a topic while the component is on screen, for those of call logs also after a gap (id 0). The queries
 * refetch by themselves.
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

const tellHandlers = (event: LiveEvent) =>
  handlers.get(event.topic)?.forEach((handler) => void handler(event));

/**
 * Listens to the server until the returned function is called. Tabs share one stream (HTTP/1.1 allows six connections): the one that
 * holds the lock reads the stream and notifies the others; where a browser has no Web Locks (plain http in a LAN) each tab reads its own.
 */
export function startLiveEvents(client: QueryClient): () => void {
  const stopped = new AbortController();
  const channel = new BroadcastChannel(SHARED_NAME);
  const refresh = batchReads(client, stopped.signal, BATCH_MS);
  const refreshFigures = batchReads(client, stopped.signal, FIGURES_MS);

  let hasOpened = false;
  /**
   * Whatever was read or asked for before the stream stood may have missed an event. Once the stream is back, so may be what could not be read
   * while the server was out of reach.
   */
  const catchUp = (isBack = false) => {
    clearTimeout(catchingUp);
    notifyLeadUpdate("all");
    tellHandlers({ topic: "call-log", id: 0 });
    void client.invalidateQueries({
      predicate: ({ state, queryKey }) =>
        state.data === undefined && state.fetchStatus === "idle"
          ? isBack && state.error instanceof TypeError
          : readsPath({ queryKey }, LIVE_PATHS),
    });
  };
  const catchingUp = setTimeout(catchUp, PRELOADED_MS);

  const receive = (signal: Signal) => {
    // A sign-out ends the session while its answer is on the way: the page that goes need not find out.
    if (page.isLeaving) return;
    if (signal.kind === "event") {
      const { topic, id } = signal.event;
      refresh({
        paths: PATHS_BY_TOPIC[topic],
        leadId: LEAD_TOPICS.includes(topic) ? id : undefined,
        isHistory: HISTORY_TOPICS.includes(topic),
      });
      refreshFigures({ paths: FIGURES_BY_TOPIC[topic] ?? [] });
      tellHandlers(signal.event);
    } else if (signal.kind === "polled") {
      catchUp();
    } else if (signal.kind === "opened") {
      if (!hasOpened) readPreloadedAgain(client, stopped.signal);
      catchUp(hasOpened);
      hasOpened = true;
    } else {
      refresh({ paths: PATHS_BY_TOPIC.session });
    }
  };
  channel.onmessage = ({ data }: MessageEvent<Signal>) => receive(data);

  const shared = "locks" in navigator;
  const tell = (signal: Signal) => {
    receive(signal);
    if (shared && !stopped.signal.aborted) channel.postMessage(signal);
  };
  const read = () => readStream(tell, stopped.signal);
  if (shared) {
    // Waiting for the lock ends with an AbortError when this tab stops first.
    navigator.locks.request(SHARED_NAME, { signal: stopped.signal }, read).catch(() => undefined);
  } else void read();

  return () => {
    clearTimeout(catchingUp);
    stopped.abort();
    channel.close();
  };
}

/**
 * The page had the leads asked for beside its code. Where that code comes after the stream, its first read is answered by what was read before:
 * it is made once more.
 */
function readPreloadedAgain(client: QueryClient, stopped: AbortSignal): void {
  const cache = client.getQueryCache();
  const isLeads = ({ queryKey: [path] }: { queryKey: readonly unknown[] }) => path === listLeads.path;
  if (cache.findAll({ predicate: isLeads }).length > 0) return;
  const stop = cache.subscribe(({ type, query }) => {
    if (type !== "updated" || !isLeads(query)) return;
    stop();
    void Promise.resolve().then(() => client.invalidateQueries({ queryKey: query.queryKey, exact: true }));
  });
  stopped.addEventListener("abort", stop, { once: true });
}

/**
 * Holds the stream, and asks for it again after every refusal, until `stopped`. While it is refused again and again (the server holds as many
 * as it may), what is shown is read again each time instead.
 */
async function readStream(tell: (signal: Signal) => void, stopped: AbortSignal): Promise<void> {
  for (let refusals = 0; !stopped.aborted; refusals += 1) {
    await new Promise<void>((resolve) => {
      const source = new EventSource(STREAM_PATH);
      const end = () => {
        source.close();
        resolve();
      };
      stopped.addEventListener("abort", end, { once: true });
      source.onopen = () => {
        refusals = 0;
        void noteStream(true);
        tell({ kind: "opened" });
      };
      // The server's own line to its events was down for a moment.
      source.addEventListener("refetch", () => tell({ kind: "opened" }));
      source.onmessage = ({ data }: MessageEvent<string>) => {
        const event = parseEvent(data);
        if (event) tell({ kind: "event", event });
      };
      source.onerror = () => {
        void noteStream(false);
        // The browser reconnects by itself after a broken connection, never after a refusal such as 401.
        if (source.readyState === EventSource.CLOSED) {
          stopped.removeEventListener("abort", end);
          end();
        }
      };
    });
    if (stopped.aborted) return;
    tell({ kind: "refused" });
    if (refusals > 0) tell({ kind: "polled" });
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

/** What one event makes out of date. */
interface OutOfDate {
  paths: readonly string[];
  /** The lead that changed; 0 where the event names none. */
  leadId?: number | undefined;
  /** The history of some lead. */
  isHistory?: boolean;
}

/** Reads at once for the first event, then in batches: a sync of a thousand leads is not a thousand reads. */
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

/** Ends early when the network is back, or when nobody listens any more. */
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
