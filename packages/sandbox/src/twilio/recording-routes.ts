import type { FastifyInstance, FastifyReply } from "fastify";
import { recordingWav } from "../audio.ts";
import type { Sandbox } from "../sandbox.ts";
import { notFound, TwilioError } from "./errors.ts";
import type { RecordingRow } from "./leg.ts";
import { page, passesDate, type Query } from "./paging.ts";
import { ACCOUNT_PATH, presentRecording } from "./resources.ts";

type ByFile = { Params: { file: string }; Querystring: Query };

const PATH = "/2010-04-01/Accounts/:account/Recordings";

/** Recordings of calls and voicemails: list, read, delete, and their audio. */
export function recordingRoutes(app: FastifyInstance, sandbox: Sandbox): void {
  const { exchange } = sandbox.engine;

  app.get<{ Querystring: Query }>(`${PATH}.json`, async ({ query }) =>
    page({
      name: "recordings",
      path: `${ACCOUNT_PATH}/Recordings.json`,
      query,
      rows: exchange.recordings
        .values()
        .filter((one) => !query.CallSid || one.callSid === query.CallSid)
        .filter((one) => passesDate(query, "DateCreated", one.startedAt))
        .reverse(),
      present: presentRecording,
    }),
  );

  app.get<ByFile>(`${PATH}/:file`, async (request, reply) => {
    const { file } = request.params;
    const recording = findRecording(request.url, file);
    if (file.endsWith(".json")) return presentRecording(recording);
    if (recording.status !== "completed") throw notFound(request.url);
    const { redirect } = sandbox.media;
    if (redirect !== null) {
      const own = `${request.protocol}://${request.host}/storage/${recording.sid}.mp3?X-Amz-Signature=${STORAGE_SIGNATURE}`;
      return reply.redirect(redirect === "storage" ? own : redirect);
    }
    return sendSound(
      reply,
      recording,
      request.query,
      sandbox.media.range ? request.headers.range : undefined,
    );
  });

  app.delete<ByFile>(`${PATH}/:file`, async (request, reply) => {
    const { sid } = findRecording(request.url, request.params.file);
    exchange.timers.clearAll(sid);
    exchange.recordings.delete(sid);
    return reply.code(204).send();
  });

  function findRecording(url: string, file: string): RecordingRow {
    const recording = exchange.recordings.get(file.replace(/\.(json|wav|mp3)$/, ""));
    if (!recording) throw notFound(url);
    return recording;
  }
}

/** Signature in the addresses of the storage. */
const STORAGE_SIGNATURE = "5andb0x";

/**
 * The storage behind recordings, at `/storage`: an address with a signature is enough. As at S3, credentials in addition to the signature
 * are refused (400), and nothing is served without it (403).
 */
export function storageRoutes(app: FastifyInstance, sandbox: Sandbox): void {
  app.get<{ Params: { file: string }; Querystring: Query }>("/storage/:file", async (request, reply) => {
    const refuse = (status: number, code: string) =>
      reply.code(status).type("application/xml").send(`<Error><Code>${code}</Code></Error>`);
    if (request.headers.authorization) return refuse(400, "InvalidArgument");
    if (request.query["X-Amz-Signature"] !== STORAGE_SIGNATURE) return refuse(403, "AccessDenied");
    const recording = sandbox.engine.exchange.recordings.get(request.params.file.replace(/\.mp3$/, ""));
    if (!recording) return refuse(404, "NoSuchKey");
    return sendSound(reply, recording, {}, request.headers.range);
  });
}

/** WAV for every path, as the content type says: the sandbox has no MP3 encoder. Mono unless both channels are requested. */
function sendSound(
  reply: FastifyReply,
  recording: RecordingRow,
  query: Query,
  range: string | undefined,
): FastifyReply {
  const both = query.RequestedChannels === "2";
  if (both && recording.channels === 1) {
    throw new TwilioError(400, 21220, "Requested channels is not available for a mono recording");
  }
  const wav = recordingWav(recording.sid, recording.durationSeconds ?? 1, both ? 2 : 1);
  reply.header("content-type", "audio/x-wav");
  const asked = /^bytes=(\d*)-(\d*)$/.exec(range ?? "");
  if (!asked || (asked[1] === "" && asked[2] === "")) return reply.send(wav);
  const start = asked[1] === "" ? Math.max(0, wav.length - Number(asked[2])) : Number(asked[1]);
  const end =
    asked[1] === "" || asked[2] === "" ? wav.length - 1 : Math.min(Number(asked[2]), wav.length - 1);
  reply.header("accept-ranges", "bytes");
  if (start > end) return reply.code(416).header("content-range", `bytes */${wav.length}`).send();
  return reply
    .code(206)
    .header("content-range", `bytes ${start}-${end}/${wav.length}`)
    .send(wav.subarray(start, end + 1));
}
