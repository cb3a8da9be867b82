import { getAiRecording } from "@portal/contract/routes/leads";
import * as contract from "@portal/contract/routes/recordings";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { bindRoute } from "../../http/bind-route.ts";
import { answerList } from "../../http/list.ts";
import type { Session } from "../../http/session.ts";
import type { Sound } from "./answer-sound.ts";
import { countRecordings, listCallRecordings, listRecordings, type RecordingScope } from "./data-list.ts";
import { presentCallRecording, presentRecording } from "./present.ts";
import { openAiRecording, openCallRecording, type RecordingsContext } from "./service.ts";

const scopeOf = (actor: Session): RecordingScope =>
  actor.role === "admin" ? "everyone" : { userId: actor.userId };

/** Answers with the sound that `open` finds; the request to the provider ends when the listener leaves. */
async function stream(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  open: (listener: { range: string | undefined; signal: AbortSignal }) => Promise<Sound>,
): Promise<FastifyReply> {
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort());
  // A part of what may have changed since is not asked for: the whole is answered.
  const range = request.headers["if-range"] ? undefined : request.headers.range;
  const { status, headers, body } = await open({ range, signal: gone.signal });
  if (status === 416) {
    const { "content-type": _sound, ...ranges } = headers;
    const message = "This part of the recording does not exist.";
    return reply.status(status).headers(ranges).send({ message, code: "invalid", requestId: request.id });
  }
  return reply
    .status(status)
    .headers({ ...headers, "cache-control": "private, no-store", "x-content-type-options": "nosniff" })
    .send(body ?? "");
}

/** Recordings, streamed through the server: no provider's address or key reaches a browser (specification §7). */
export function registerRecordingRoutes(app: FastifyInstance, context: RecordingsContext): void {
  const { db } = context.database;

  bindRoute(app, getAiRecording, ({ params, actor, ...exchange }) =>
    stream(exchange, (listener) => openAiRecording(context, { ...listener, actor, leadId: params.id })),
  );

  bindRoute(app, contract.getRecording, ({ params, query, actor, ...exchange }) =>
    stream(exchange, (listener) =>
      openCallRecording(context, {
        ...listener,
        actor,
        recordingSid: params.recordingSid,
        download: query.download === "1",
      }),
    ),
  );

  bindRoute(app, contract.listRecordings, ({ query, actor, reply }) => {
    const scope = scopeOf(actor);
    return answerList(reply, query, {
      fetch: (after, limit) => listRecordings(db, { scope, after, limit }),
      keysetOf: (row) => ({ at: row.keysetAt, id: row.id }),
      present: presentRecording,
      count: (cap) => countRecordings(db, { scope, cap }),
    });
  });

  bindRoute(app, contract.listCallRecordings, ({ actor, reply }) => {
    const scope = scopeOf(actor);
    return answerList(
      reply,
      {},
      {
        fetch: (after, limit) => listCallRecordings(db, { scope, after, limit }),
        keysetOf: (row) => ({ at: row.keysetAt, id: row.id }),
        present: presentCallRecording,
        count: async () => 0,
      },
    );
  });
}
