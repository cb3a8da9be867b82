import { limits } from "@portal/contract/limits";
import * as contract from "@portal/contract/routes/voicemail-messages";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../../platform/http/app-error.ts";
import { bindRoute } from "../../../platform/http/bind-route.ts";
import { readRange } from "../recordings/stream-sound.ts";
import type { CallsContext } from "../types.ts";
import { soundTypes } from "./read-sound.ts";
import { presentRecording, startRecording } from "./record-message.ts";
import { findNewestRecording, findSound, isDropOn, listMessages, type MessageRow } from "./repository.ts";

import { changeMessage, removeMessage, uploadMessage } from "./service.ts";

const present = ({ createdAt, ...row }: MessageRow): contract.VoicemailMessage => ({
  ...row,
  createdAt: createdAt.toISOString(),
});

/** Sends a sound, whole or the requested range. */
function sendSound(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  found: Awaited<ReturnType<typeof findSound>>,
): FastifyReply {
  if (!found) throw new AppError("not_found");
  const { format, sound } = found;
  const range = readRange(request.headers.range, sound.length);
  reply.headers({
    "content-type": soundTypes[format],
    "cache-control": "private, no-store",
    "accept-ranges": "bytes",
    "x-content-type-options": "nosniff",
  });
  if (!range || range === "unsatisfiable") return reply.send(sound);
  return reply
    .status(206)
    .header("content-range", `bytes ${range.start}-${range.end}/${sound.length}`)
    .send(sound.subarray(range.start, range.end + 1));
}

/** Routes for consultants' recorded messages, and their sound for the provider. */
export async function registerVoicemailMessageRoutes(
  app: FastifyInstance,
  context: CallsContext,
): Promise<void> {
  const { db } = context.database;

  bindRoute(app, contract.listVoicemailMessages, async ({ actor }) => {
    const recording = await findNewestRecording(db, actor.userId);
    return {
      isOn: await isDropOn(db),
      messages: (await listMessages(db, actor.userId)).map(present),
      recording: recording ? presentRecording(recording) : null,
    };
  });

  bindRoute(app, contract.recordVoicemailMessage, async ({ body, actor }) =>
    presentRecording(await startRecording(context, { ...body, userId: actor.userId })),
  );

  // In this scope every body is read as bytes, as uploads have varying content types.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    const bodyLimit = limits.voicemailMessageMaxBytes;
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit }, (_request, body, done) =>
      done(null, body),
    );
    bindRoute(
      scope,
      contract.uploadVoicemailMessage,
      async ({ query, body, actor }) =>
        present(await uploadMessage(context, { ...query, bytes: body, userId: actor.userId })),
      { bodyLimit },
    );
  });

  bindRoute(app, contract.updateVoicemailMessage, async ({ params, body, actor }) =>
    present(await changeMessage(context, { userId: actor.userId, id: params.id }, body)),
  );

  bindRoute(app, contract.deleteVoicemailMessage, async ({ params, actor }) => {
    await removeMessage(context, { userId: actor.userId, id: params.id });
    return { message: "The message was deleted." };
  });

  bindRoute(app, contract.getVoicemailSound, async ({ params, actor, request, reply }) =>
    sendSound({ request, reply }, await findSound(db, { userId: actor.userId, id: params.id })),
  );

  bindRoute(app, contract.playVoicemailSound, async ({ query, request, reply }) =>
    sendSound({ request, reply }, await findSound(db, { token: query.token })),
  );
}
