import { z } from "zod";
import { pageQuerySchema } from "../entities/fields.ts";
import { callRecordingSchema, recordingSchema, recordingSidSchema } from "../entities/recording.ts";
import { defineRoute } from "../route.ts";

/** Recordings of calls in the user's scope, newest first. Without `limit` the whole array; with it a keyset page. */
export const listRecordings = defineRoute({
  method: "GET",
  path: "/api/twilio/recordings",
  summary: "Recordings of the telephony provider",
  query: pageQuerySchema,
  response: z.array(recordingSchema),
});

/** Streams a recording; supports Range. `download=1` adds a file name. Errors: `no_recording`, `not_your_lead`, `provider_unavailable`. */
export const getRecording = defineRoute({
  method: "GET",
  path: "/api/twilio/recording/:recordingSid",
  summary: "Audio of a recording",
  params: z.object({ recordingSid: recordingSidSchema }),
  query: z.object({ download: z.enum(["1"]).optional() }),
  response: z.unknown(),
});

/** Known recordings of calls in the user's scope, including those of the CRM's AI agent. */
export const listCallRecordings = defineRoute({
  method: "GET",
  path: "/api/ghl/call-recordings",
  summary: "Recordings for matching with call logs",
  response: z.array(callRecordingSchema),
});
