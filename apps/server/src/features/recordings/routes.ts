import { getAiRecording } from "@portal/contract/routes/leads";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../http/bind-route.ts";
import { openAiRecording, type RecordingsContext } from "./service.ts";

/** Recordings, streamed through the server: no provider's address or key reaches a browser (specification §7). */
export function registerRecordingRoutes(app: FastifyInstance, context: RecordingsContext): void {
  bindRoute(app, getAiRecording, async ({ params, actor, request, reply }) => {
    const gone = new AbortController();
    reply.raw.once("close", () => gone.abort());
    const { status, headers, body } = await openAiRecording(context, {
      actor,
      leadId: params.id,
      // A part of what may have changed since is not asked for: the whole is answered.
      range: request.headers["if-range"] ? undefined : request.headers.range,
      signal: gone.signal,
    });
    if (status === 416) {
      const { "content-type": _sound, ...ranges } = headers;
      const message = "This part of the recording does not exist.";
      return reply.status(status).headers(ranges).send({ message, code: "invalid", requestId: request.id });
    }
    return reply
      .status(status)
      .headers({ ...headers, "cache-control": "private, no-store", "x-content-type-options": "nosniff" })
      .send(body ?? "");
  });
}
