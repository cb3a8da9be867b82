import { z } from "zod";
import { pageQuerySchema } from "../entities/fields.ts";
import { callRecordingSchema, recordingSchema, recordingSidSchema } from "../entities/recording.ts";
import { defineRoute } from "../route.ts";

/** Recordings of the calls in one's scope, newest first. Without `limit` the whole array, with it a keyset page. */
export const listRecordings = defineRoute({
  method: "GET",
  path: "/api/twilio/recordings",
  summary: "Recordings of the telephony provider",
  query: pageQuerySchema,
  response: z.array(recordingSchema),
});

/** Streams a recording, with Range; `download=1` names the file. Errors: `no_recording`, `not_your_lead`, `provider_unavailable`. */
export const getRecording = defineRoute({
  method: "GET",
  path: "/api/twilio/recording/:recordingSid",
  summary: "Sound of a recording",
  params: z.object({ recordingSid: recordingSidSchema }),
  query: z.object({ download: z.enum(["1"]).optional() }),
  response: z.unknown(),
});

/** Recordings known for the calls in one's scope, the CRM's AI agent's among them. */
export const listCallRecordings = defineRoute({
  method: "GET",
  path: "/api/ghl/call-recordings",
  summary: "Recordings to match call logs with",
  response: z.array(callRecordingSchema),
});
