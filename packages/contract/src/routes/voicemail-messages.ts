import { z } from "zod";
import { idSchema, text } from "../entities/fields.ts";
import { languages } from "../entities/user.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";

/** Accepted audio formats of a recorded message. */
export const soundFormats = ["wav", "mp3"] as const;

/**
 * Why recording a message by phone failed: nobody answered, nothing was said after the tone, the provider refused the call, or its audio
 * never arrived.
 */
export const recordingFailures = ["unanswered", "silent", "refused", "lost"] as const;

/** A consultant's own recorded message for leads' voicemails. */
export const voicemailMessageSchema = z.object({
  id: z.number(),
  name: z.string(),
  language: z.enum(languages),
  format: z.enum(soundFormats),
  seconds: z.number(),
  /** Whether it is the message left for leads of its language. */
  isDefault: z.boolean(),
  createdAt: z.string(),
});
export type VoicemailMessage = z.infer<typeof voicemailMessageSchema>;

/** A call to the user's own phone to record a message: `calling`, `recording` (answered), `saved` or `failed`. */
export const voicemailRecordingSchema = z.object({
  id: z.number(),
  name: z.string(),
  language: z.enum(languages),
  state: z.enum(["calling", "recording", "saved", "failed"]),
  failure: z.enum(recordingFailures).nullable(),
});
export type VoicemailRecording = z.infer<typeof voicemailRecordingSchema>;

const params = z.object({ id: idSchema });
const named = { name: text(limits.nameMaxLength), language: z.enum(languages) };

/**
 * The user's messages by language and name, whether messages may be left at all (enabled by administrators), and the latest call to record
 * one.
 */
export const listVoicemailMessages = defineRoute({
  method: "GET",
  path: "/api/voicemail-messages",
  summary: "Recorded voicemail messages of the user",
  response: z.object({
    isOn: z.boolean(),
    messages: z.array(voicemailMessageSchema),
    /** Null if there was none within the last ten minutes. */
    recording: voicemailRecordingSchema.nullable(),
  }),
});

/**
 * Saves a WAV or MP3 file of at most 60 s and 5 MB. The body is the file itself; the format is detected from its content. The first message
 * of a language becomes its default. Errors: `sound_invalid`, `invalid` (no name, 20 messages already), `too_large`.
 */
export const uploadVoicemailMessage = defineRoute({
  method: "POST",
  path: "/api/voicemail-messages",
  summary: "Upload a recorded voicemail message",
  query: z.object(named),
  body: z.unknown(),
  response: voicemailMessageSchema,
});

/**
 * Calls the user's own phone, which asks to press 1 and then records the message until the pound key is pressed. The list shows the
 * progress, then the message. While a recording is in progress, returns it. Errors: `rep_without_phone`, `rep_on_call`, `invalid` (no name,
 * 20 messages already), `provider_off`.
 */
export const recordVoicemailMessage = defineRoute({
  method: "POST",
  path: "/api/voicemail-messages/record",
  summary: "Record a voicemail message by phone",
  body: z.strictObject(named),
  response: voicemailRecordingSchema,
});

/** Renames one of the user's messages, or makes it the default of its language. Errors: `invalid`, `not_found`. */
export const updateVoicemailMessage = defineRoute({
  method: "PATCH",
  path: "/api/voicemail-messages/:id",
  summary: "Update a recorded voicemail message",
  params,
  body: z.strictObject({ name: named.name.optional(), isDefault: z.literal(true).optional() }),
  response: voicemailMessageSchema,
});

/** Deletes one of the user's messages; timelines keep the entries of where it was left. Errors: `not_found`. */
export const deleteVoicemailMessage = defineRoute({
  method: "DELETE",
  path: "/api/voicemail-messages/:id",
  summary: "Delete a recorded voicemail message",
  params,
  response: z.object({ message: z.string() }),
});

/** Audio of one of the user's messages; supports Range. Errors: `not_found`. */
export const getVoicemailSound = defineRoute({
  method: "GET",
  path: "/api/voicemail-messages/:id/sound",
  summary: "Audio of a recorded voicemail message",
  params,
  response: z.unknown(),
});

/**
 * The audio for the provider, authorized by the secret in the query string, which is never logged. An unknown secret is `not_found`.
 * Errors: `not_found`.
 */
export const playVoicemailSound = defineRoute({
  method: "GET",
  path: "/api/voicemail-sound",
  summary: "Audio of a recorded voicemail message for the telephony provider",
  query: z.object({ token: text(100) }),
  response: z.unknown(),
});
