import type { EventTopic, LiveEvent } from "@portal/contract/entities/event";
import type { QueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { endEarlyReads, hasEarlyReads } from "./early-reads.ts";
import { page } from "./navigation.ts";
import { invalidatePaths, readsPath } from "./query-client.ts";

const STREAM_PATH = "/api/events";
const SHARED_NAME = "lead-desk.events";
const BATCH_MS = 250;
/** Figures over many rows are read again at most this often. */
const FIGURES_MS = 5_000;
/** After so long early answers are read again, where the opening of the stream has not had them all read again. */
const EARLY_MS = 2_000;
const RETRY_MS = [1_000, 2_000, 5_000, 10_000, 30_000] as const;

/** What each topic makes out of date: queries at these paths and below them. */
const PATHS_BY_TOPIC: Record<EventTopic, readonly string[]> = {
  lead: ["/api/leads", "/api/dashboard-stats", "/api/follow-ups"],
  call: ["/api/calls", "/api/dialer"],
  "call-log": ["/api/call-logs", "/api/leads", "/api/dashboard-stats", "/api/follow-ups", "/api/notices"],
  "crm-sync": ["/api/ghl/sync-runs", "/api/ghl/rejects"],
  "crm-outbox": ["/api/ghl/outbox"],
  sms: ["/api/leads", "/api/sms", "/api/notices"],
  recording: ["/api/call-logs", "/api/twilio/recordings"],
  "inbound-call": ["/api/call-logs", "/api/calls/live"],
  import: ["/api/imports"],
  "webhook-source": ["/api/webhook-sources"],
  "webhook-delivery": ["/api/webhook-sources", "/api/webhook-deliveries"],
  dialer: ["/api/dialer"],
  meeting: ["/api/calendar", "/api/google", "/api/leads"],
  team: ["/api/team", "/api/sales-reps"],
  session: ["/api/current-user", "/api/admin/session-check", "/api/sessions", "/api/settings"],
};
/** The same for figures that take the server longer. */
const FIGURES_BY_TOPIC: Partial<Record<EventTopic, readonly string[]>> = {
  lead: ["/api/reports", "/api/analytics", "/api/clients"],
  "call-log": ["/api/reports", "/api/analytics", "/api/clients"],
  "inbound-call": ["/api/reports"],
  sms: ["/api/reports"],
};
const LIVE_PATHS = [
  ...new Set([PATHS_BY_TOPIC, FIGURES_BY_TOPIC].flatMap((of) => Object.values(of).flat())),
].filter((path) => !PATHS_BY_TOPIC.session.includes(path));

/** Passed between the tabs of a browser: one of them holds the stream for all. */
type Signal = { kind: "event"; event: LiveEvent } | { kind: "opened" } | { kind: "refused" };

type Handler = (event: LiveEvent) => void;
const handlers = new Map<EventTopic, Set<Handler>>();

/** Runs `handler` for every live event of a topic while the component is on screen. The queries refetch by themselves. */
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

/**
 * Listens to the server until the returned function is called. Tabs share one stream (HTTP/1.1 allows six connections): the one that
 * holds the lock reads it and tells the others; where a browser has no Web Locks (plain http in a LAN) each tab reads its own.
 */
export function startLiveEvents(client: QueryClient): () => void {
  const stopped = new AbortController();
  const channel = new BroadcastChannel(SHARED_NAME);
  const refresh = batchInvalidation(client, stopped.signal, BATCH_MS);
  const refreshFigures = batchInvalidation(client, stopped.signal, FIGURES_MS);

  /** Whatever was read before the stream stood may have missed an event. A first read still under way started after it was asked for. */
  const readAgain = () =>
    client.invalidateQueries({
      predicate: (query) => query.state.data !== undefined && readsPath(query, LIVE_PATHS),
    });
  /** The same for early answers, which are older than the stream, once they have been taken; those that are on their way when they are there. */
  const catchUp = async () => {
    const unread = client.getQueryCache().findAll({ predicate: ({ state }) => state.data === undefined });
    const lateReads = endEarlyReads();
    await readAgain();
    if ((await lateReads) && !stopped.signal.aborted) {
      await client.invalidateQueries({
        predicate: (query) => unread.includes(query) && readsPath(query, LIVE_PATHS),
      });
    }
  };
  // Also where another tab holds the stream, and none opens here that would have them read again.
  const catchingUp = hasEarlyReads() ? setTimeout(() => void catchUp(), EARLY_MS) : undefined;

  const receive = (signal: Signal) => {
    // A sign-out ends the session while its answer is on the way: the page that goes need not find out.
    if (page.isLeaving) return;
    if (signal.kind === "event") {
      refresh(PATHS_BY_TOPIC[signal.event.topic] ?? []);
      refreshFigures(FIGURES_BY_TOPIC[signal.event.topic] ?? []);
      for (const handler of handlers.get(signal.event.topic) ?? []) handler(signal.event);
    } else if (signal.kind === "opened") {
      if (!hasEarlyReads()) clearTimeout(catchingUp);
      void readAgain();
    } else {
      refresh(PATHS_BY_TOPIC.session);
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

/** Holds the stream, and opens it again after every refusal, until `stopped`. */
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
        tell({ kind: "opened" });
      };
      // The server's own line to its events was down for a moment.
      source.addEventListener("refetch", () => tell({ kind: "opened" }));
      source.onmessage = ({ data }: MessageEvent<string>) => {
        const event = parseEvent(data);
        if (event) tell({ kind: "event", event });
      };
      source.onerror = () => {
        // The browser reconnects by itself after a broken connection, never after a refusal such as 401.
        if (source.readyState === EventSource.CLOSED) {
          stopped.removeEventListener("abort", end);
          end();
        }
      };
    });
    if (stopped.aborted) return;
    tell({ kind: "refused" });
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

/** Refetches at once for the first event, then in batches: a sync of a thousand leads is not a thousand reads. */
function batchInvalidation(
  client: QueryClient,
  stopped: AbortSignal,
  everyMs: number,
): (paths: readonly string[]) => void {
  const waiting = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    if (waiting.size === 0 || stopped.aborted) return;
    const paths = [...waiting];
    waiting.clear();
    timer = setTimeout(flush, everyMs);
    void invalidatePaths(client, paths);
  };
  return (paths) => {
    for (const path of paths) waiting.add(path);
    if (timer === undefined) flush();
  };
}

function pause(ms: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    stopped.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
