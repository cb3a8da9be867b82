import type { callRecordingSchema, Recording } from "@portal/contract/entities/recording";
import { getAiRecording } from "@portal/contract/routes/leads";
import * as contract from "@portal/contract/routes/recordings";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { bindRoute } from "../../../platform/http/bind-route.ts";
import { answerList } from "../../../platform/http/list.ts";
import type { AuthSession } from "../../../platform/http/session.ts";
import {
  type CallRecordingRow,
  countRecordings,
  listCallRecordings,
  listRecordings,
  type RecordingScope,
  type RecordingViewRow,
} from "./repository.ts";
import { openAiRecording, openCallRecording, type RecordingsContext, type Sound } from "./stream-sound.ts";

const scopeOf = (actor: AuthSession): RecordingScope =>
  actor.role === "admin" ? "everyone" : { userId: actor.userId };

/** Streams a sound that `open` finds; the request to the provider is aborted when the client disconnects. */
async function stream(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  open: (listener: { range: string | undefined; signal: AbortSignal }) => Promise<Sound>,
): Promise<FastifyReply> {
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort());
  // `If-Range` is not supported: the whole sound is sent.
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

/** Routes for recordings, streamed through the server, so that no provider address or key reaches a browser. */
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

/** Presents a recording. */
function presentRecording(row: RecordingViewRow): Recording {
  return {
    id: row.id,
    recordingSid: row.recordingSid,
    recordingStatus: row.status,
    callSid: row.callSid,
    leadId: row.leadId,
    leadName: row.leadName,
    leadPhone: row.leadPhone,
    kind: row.kind,
    duration: row.durationSeconds,
    createdAt: row.createdAt.toISOString(),
  };
}

/** Presents a recording with the path of its sound. */
function presentCallRecording(row: CallRecordingRow): z.infer<typeof callRecordingSchema> {
  return {
    id: row.id,
    callSid: row.callSid,
    recordingSid: row.recordingSid,
    leadId: row.leadId,
    duration: row.durationSeconds,
    callDate: row.callDate.toISOString(),
    audioUrl: row.recordingSid
      ? `/api/twilio/recording/${row.recordingSid}`
      : `/api/ai-recording/${row.leadId}`,
  };
}
