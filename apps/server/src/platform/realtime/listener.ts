import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { eventChannel, type PublishedEvent, payloadsOf } from "./publish.ts";

export interface EventListener {
  /** Registers a receiver of every event; returns a function that removes it. */
  onEvent(receive: (event: PublishedEvent) => void): () => void;
  /**
   * Registers a receiver for gaps: called after the connection was lost and restored, and when a process starts, as events may have been
   * missed.
   */
  onGap(receive: () => void): () => void;
  /**
   * Notifies all processes of a committed change, shortly after and together with other events: for frequent writes, because transactions
   * that notify commit one after the other. What a killed process did not send is covered by its next start.
   */
  notify(event: PublishedEvent): void;
  /** Whether a notification sent by `notify` comes back on the listening connection within 2 s. */
  receives(notify: (channel: string, payload: string) => Promise<unknown>): Promise<boolean>;
  close(): Promise<void>;
}

/** Represents any number of missed events. */
const gap = "null";
/** More unsent events than this mean a failure; browsers should then reload everything. */
const unsentMax = 10_000;
const againMs = 1_000;
const connectMs = 5_000;
const echoMs = 2_000;
/**
 * How often the connection is checked: one to a server that is unreachable or no longer the primary receives nothing and reports no error.
 */
const checkMs = 5_000;
const checkTimeoutMs = 3_000;
/** Events within this time are sent together, because each notification wakes every listening process. */
const gatherMs = 10;

/** Listens on a connection of its own for the events of all processes, and reconnects when it is lost. */
export function listenForEvents(options: {
  databaseUrl: string;
  onError: (error: Error) => void;
}): Promise<EventListener> {
  const receivers = new Set<(event: PublishedEvent) => void>();
  const gapReceivers = new Set<() => void>();
  let client: pg.Client | null = null;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;
  let looking: NodeJS.Timeout | undefined;
  let unsent: string[] = [gap];
  let sending: Promise<void> | undefined;
  const echoes = new Map<string, () => void>();

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: options.databaseUrl,
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
    });
    next.on("notification", ({ payload }) => {
      const event = JSON.parse(payload ?? "null") as PublishedEvent | string | null;
      if (typeof event === "string") echoes.get(event)?.();
      else if (event) for (const receive of receivers) receive(event);
      else for (const receive of gapReceivers) receive();
    });
    next.on("error", options.onError);
    next.on("end", () => {
      if (client === next) reconnect();
    });
    await next.connect();
    await next.query(`listen ${eventChannel}`);
    client = next;
    looking = setTimeout(look, checkMs, next);
    sendAll();
  }

  async function look(mine: pg.Client): Promise<void> {
    if (client !== mine) return;
    try {
      const question = {
        text: "select current_setting('transaction_read_only') = 'on' as closed",
        query_timeout: checkTimeoutMs,
      };
      const { rows } = await mine.query<{ closed: boolean }>(question);
      if (rows[0]?.closed) throw new Error("the connection leads to a server that takes no writes");
      looking = setTimeout(look, checkMs, mine);
    } catch (error) {
      if (closed || client !== mine) return;
      options.onError(error as Error);
      reconnect();
      void mine.end().catch(() => undefined);
    }
  }

  async function sendWith(sender: pg.Client): Promise<void> {
    let payloads: string[] = [];
    try {
      while (unsent.length > 0) {
        if (!closed) await sleep(gatherMs);
        payloads = unsent;
        unsent = [];
        await sender.query({
          name: "notify-events",
          text: "select pg_notify($1, payload) from unnest($2::text[]) payload",
          values: [eventChannel, payloads],
        });
      }
    } catch (error) {
      unsent = [...payloads, ...unsent];
      if (closed) return;
      options.onError(error as Error);
      setTimeout(sendAll, againMs).unref();
    }
  }

  function sendAll(): void {
    if (sending || !client) return;
    sending = sendWith(client).finally(() => {
      sending = undefined;
    });
  }

  function send(payloads: string[]): void {
    unsent.push(...payloads);
    if (unsent.length > unsentMax) unsent = [gap];
    sendAll();
  }

  function reconnect(): void {
    client = null;
    if (closed) return;
    retry = setTimeout(async () => {
      try {
        await connect();
        for (const receive of gapReceivers) receive();
      } catch (error) {
        options.onError(error as Error);
        reconnect();
      }
    }, againMs);
  }

  async function receives(notify: (channel: string, payload: string) => Promise<unknown>): Promise<boolean> {
    const id = randomUUID();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    echoes.set(id, () => resolve(true));
    const timeout = setTimeout(() => resolve(false), echoMs);
    try {
      await notify(eventChannel, JSON.stringify(id));
      return await promise;
    } finally {
      clearTimeout(timeout);
      echoes.delete(id);
    }
  }

  const subscribe =
    <T>(set: Set<T>) =>
    (receive: T) => {
      set.add(receive);
      return () => void set.delete(receive);
    };

  return connect().then(() => ({
    onEvent: subscribe(receivers),
    onGap: subscribe(gapReceivers),
    notify: (event) => send(payloadsOf(event)),
    receives,
    async close() {
      closed = true;
      clearTimeout(retry);
      clearTimeout(looking);
      // Waits for what is being sent, unless the database hangs.
      await Promise.race([sending, sleep(againMs, undefined, { ref: false })]);
      await client?.end();
    },
  }));
}

/**
 * Calls `look`, and again after every event that concerns the subject, until it returns something or the time is up (null). Calls never
 * overlap; an event during one causes another. Errors of `look` are passed to the caller.
 */
export function waitForEvent<T>(options: {
  events: EventListener;
  concerns: (event: PublishedEvent) => boolean;
  look: () => Promise<T | null>;
  timeoutMs: number;
}): Promise<T | null> {
  return new Promise((resolve, reject) => {
    let looking = false;
    let again = false;
    let ended = false;
    const end = (settle: () => void) => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      stopEvents();
      stopGap();
      settle();
    };
    const look = async () => {
      again = true;
      if (looking) return;
      looking = true;
      while (again && !ended) {
        again = false;
        const found = await options.look();
        if (found !== null) end(() => resolve(found));
      }
      looking = false;
    };
    const tryLook = () => void look().catch((error: unknown) => end(() => reject(error)));
    const timer = setTimeout(() => end(() => resolve(null)), options.timeoutMs);
    const stopEvents = options.events.onEvent((event) => options.concerns(event) && tryLook());
    const stopGap = options.events.onGap(tryLook);
    tryLook();
  });
}
