import pg from "pg";
import { eventChannel, type PublishedEvent } from "./publish.ts";

export interface EventListener {
  /** Registers a receiver of every event; returns how to stop. */
  onEvent(receive: (event: PublishedEvent) => void): () => void;
  /** Called after the connection was lost and is back: events may have been missed. */
  onGap(receive: () => void): () => void;
  close(): Promise<void>;
}

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

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: options.databaseUrl, keepAlive: true });
    next.on("notification", ({ payload }) => {
      const event = JSON.parse(payload ?? "null") as PublishedEvent | null;
      if (event) for (const receive of receivers) receive(event);
    });
    next.on("error", options.onError);
    next.on("end", () => {
      if (client === next) reconnect();
    });
    await next.connect();
    await next.query(`listen ${eventChannel}`);
    client = next;
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
    }, 1_000);
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
    async close() {
      closed = true;
      clearTimeout(retry);
      await client?.end();
    },
  }));
}
