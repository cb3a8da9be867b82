import type { FastifyInstance, FastifyReply } from "fastify";
import { AppError } from "../http/app-error.ts";
import type { AuthSession } from "../http/session.ts";
import type { EventListener } from "./listener.ts";
import type { PublishedEvent } from "./publish.ts";

const heartbeatMs = 15_000;
/** An event, because browsers tell pages nothing of comments: a page that misses it opens the stream again. */
const alive = "event: alive\ndata: {}\n\n";
/** Seconds until a refused client tries again. */
const againSeconds = 30;

interface Stream {
  session: AuthSession;
  reply: FastifyReply;
}

function concerns(event: PublishedEvent, session: AuthSession): boolean {
  return event.audience === "all" || session.role === "admin" || event.audience.includes(session.userId);
}

/**
 * The event stream of one process: `GET /api/events`, server-sent events that contain only topic and id. Streams end when the session ends
 * and when the server closes; after a gap every browser gets an event to reload everything. Errors: `rate_limited` if the user or the
 * process has too many. Returns a function with the number of this process's streams.
 */
export function registerEventStream(
  app: FastifyInstance,
  options: {
    listener: EventListener;
    most: { perUser: number; perProcess: number };
    isSessionAlive: (session: AuthSession) => Promise<boolean>;
    /** Called repeatedly, at most 15 s apart, with the users whose browsers are connected. */
    onPresence: (userIds: number[]) => void;
  },
): { count: () => number } {
  const streams = new Set<Stream>();

  const send = (stream: Stream, text: string) => {
    // A browser that does not read is disconnected before its backlog grows: it reconnects and reloads everything.
    if (stream.reply.raw.writableLength > 64 * 1024) stream.reply.raw.destroy();
    else stream.reply.raw.write(text);
  };
  const end = (stream: Stream) => {
    streams.delete(stream);
    stream.reply.raw.end();
  };

  const stopEvents = options.listener.onEvent((event) => {
    const text = `data: ${JSON.stringify({ topic: event.topic, id: event.id })}\n\n`;
    for (const stream of streams) if (concerns(event, stream.session)) send(stream, text);
    if (event.topic === "session") void endDeadStreams(event.id);
  });
  const stopGap = options.listener.onGap(() => {
    for (const stream of streams) send(stream, "event: refetch\ndata: {}\n\n");
  });
  const heartbeat = setInterval(() => {
    for (const stream of streams) send(stream, alive);
    void endDeadStreams(null);
    if (streams.size > 0) options.onPresence([...new Set([...streams].map(({ session }) => session.userId))]);
  }, heartbeatMs);

  /** Ends the streams of sessions that no longer exist: of one user, or of all. */
  async function endDeadStreams(userId: number | null): Promise<void> {
    for (const stream of streams) {
      if (userId !== null && stream.session.userId !== userId) continue;
      const alive = await options.isSessionAlive(stream.session).catch(() => true);
      if (!alive) end(stream);
    }
  }

  /** Refuses one stream too many; its page polls instead. */
  function checkRoom({ userId }: AuthSession): void {
    const { perUser, perProcess } = options.most;
    const own = [...streams].filter(({ session }) => session.userId === userId).length;
    if (own < perUser && streams.size < perProcess) return;
    throw new AppError(
      "rate_limited",
      own < perUser
        ? "Too many pages listen for changes at the moment. This one asks for them from time to time."
        : `You have ${perUser} pages open that listen for changes. This one asks for them from time to time.`,
      { retryAfterSeconds: againSeconds },
    );
  }

  app.get("/api/events", { config: { unattended: true }, schema: { hide: true } }, (request, reply) => {
    checkRoom(request.session);
    reply.hijack();
    reply.raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    });
    reply.raw.write("retry: 2000\n\n");
    const stream: Stream = { session: request.session, reply };
    streams.add(stream);
    options.onPresence([request.session.userId]);
    reply.raw.on("close", () => streams.delete(stream));
  });

  app.addHook("preClose", async () => {
    stopEvents();
    stopGap();
    clearInterval(heartbeat);
    for (const stream of streams) end(stream);
  });
  return { count: () => streams.size };
}
