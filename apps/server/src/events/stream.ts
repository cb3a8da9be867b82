import type { FastifyInstance, FastifyReply } from "fastify";
import type { Session } from "../http/session.ts";
import type { EventListener } from "./listener.ts";
import type { PublishedEvent } from "./publish.ts";

const heartbeatMs = 15_000;

interface Stream {
  session: Session;
  reply: FastifyReply;
}

function concerns(event: PublishedEvent, session: Session): boolean {
  return event.audience === "all" || session.role === "admin" || event.audience.includes(session.userId);
}

/**
 * The event stream of one process: `GET /api/events`, server-sent events that carry topic and id only. Streams end when the
 * session ends and when the server closes; after a gap every browser is told to fetch again.
 */
export function registerEventStream(
  app: FastifyInstance,
  options: {
    listener: EventListener;
    isSessionAlive: (session: Session) => Promise<boolean>;
    /** Told again and again, at most 15 s apart, whose browsers listen. */
    onPresence: (userIds: number[]) => void;
  },
): void {
  const streams = new Set<Stream>();

  const send = (stream: Stream, text: string) => {
    // A browser that does not read is dropped before its backlog grows: it reconnects and fetches again.
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
    for (const stream of streams) send(stream, ": still here\n\n");
    void endDeadStreams(null);
    if (streams.size > 0) options.onPresence([...new Set([...streams].map(({ session }) => session.userId))]);
  }, heartbeatMs);

  /** Ends the streams whose session is gone: of one user, or of anybody. */
  async function endDeadStreams(userId: number | null): Promise<void> {
    for (const stream of streams) {
      if (userId !== null && stream.session.userId !== userId) continue;
      const alive = await options.isSessionAlive(stream.session).catch(() => true);
      if (!alive) end(stream);
    }
  }

  app.get(
    "/api/events",
    { config: { access: "user", unattended: true }, schema: { hide: true } },
    (request, reply) => {
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
    },
  );

  app.addHook("preClose", async () => {
    stopEvents();
    stopGap();
    clearInterval(heartbeat);
    for (const stream of streams) end(stream);
  });
}
