import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { eventChannel, noticesOf, type PublishedEvent } from "./publish.ts";

export interface EventListener {
  /** Registers a receiver of every event; returns how to stop. */
  onEvent(receive: (event: PublishedEvent) => void): () => void;
  /** Called after the connection was lost and is back, and when a process starts: events may have been missed. */
  onGap(receive: () => void): () => void;
  /**
   * Tells of a change that is committed, soon, together with what else is to be told: for writes that are made all the time, as
   * transactions that notify commit one after the other. What a killed process did not get to tell is made good by its next start.
   */
  tell(event: PublishedEvent): void;
  close(): Promise<void>;
}

/** Stands for any number of events. */
const gap = "null";
/** Beyond so many that wait there is a fault, and their browsers had better fetch all again. */
const untoldMost = 10_000;
const againMs = 1_000;
/** What is told within so short a time travels together: each notice wakes every process that listens. */
const gatherMs = 10;

/** Listens on one connection of its own for the events of all processes, and comes back by itself when it is lost. */
export function listenForEvents(options: {
  databaseUrl: string;
  onError: (error: Error) => void;
}): Promise<EventListener> {
  const receivers = new Set<(event: PublishedEvent) => void>();
  const gapReceivers = new Set<() => void>();
  let client: pg.Client | null = null;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;
  let untold: string[] = [gap];
  let telling: Promise<void> | undefined;

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: options.databaseUrl, keepAlive: true });
    next.on("notification", ({ payload }) => {
      const event = JSON.parse(payload ?? "null") as PublishedEvent | null;
      if (event) for (const receive of receivers) receive(event);
      else for (const receive of gapReceivers) receive();
    });
    next.on("error", options.onError);
    next.on("end", () => {
      if (client === next) reconnect();
    });
    await next.connect();
    await next.query(`listen ${eventChannel}`);
    client = next;
    tellAll();
  }

  async function tellThem(by: pg.Client): Promise<void> {
    let notices: string[] = [];
    try {
      while (untold.length > 0) {
        if (!closed) await sleep(gatherMs);
        notices = untold;
        untold = [];
        await by.query({
          name: "tell-events",
          text: "select pg_notify($1, notice) from unnest($2::text[]) notice",
          values: [eventChannel, notices],
        });
      }
    } catch (error) {
      untold = [...notices, ...untold];
      if (closed) return;
      options.onError(error as Error);
      setTimeout(tellAll, againMs).unref();
    }
  }

  function tellAll(): void {
    if (telling || !client) return;
    telling = tellThem(client).finally(() => {
      telling = undefined;
    });
  }

  function tell(notices: string[]): void {
    untold.push(...notices);
    if (untold.length > untoldMost) untold = [gap];
    tellAll();
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

  const subscribe =
    <T>(set: Set<T>) =>
    (receive: T) => {
      set.add(receive);
      return () => void set.delete(receive);
    };

  return connect().then(() => ({
    onEvent: subscribe(receivers),
    onGap: subscribe(gapReceivers),
    tell: (event) => tell(noticesOf(event)),
    async close() {
      closed = true;
      clearTimeout(retry);
      // What is being told is told to its end, unless the database hangs.
      await Promise.race([telling, sleep(againMs, undefined, { ref: false })]);
      await client?.end();
    },
  }));
}
