import { z } from "zod";
import { idSchema, text } from "../entities/fields.ts";
import { languages } from "../entities/user.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";

/** What a recorded message may be. */
export const soundFormats = ["wav", "mp3"] as const;

/** Why a message was not recorded by phone: nobody took the call, nothing was said after the tone, the provider refused or its sound never came. */
export const recordingFailures = ["unanswered", "silent", "refused", "lost"] as const;

/** A consultant's own recorded message for the voicemails of leads. */
export const voicemailMessageSchema = z.object({
  id: z.number(),
  name: z.string(),
  language: z.enum(languages),
  format: z.enum(soundFormats),
  seconds: z.number(),
  /** The one that is left with leads of its language. */
  isDefault: z.boolean(),
  createdAt: z.string(),
});
export type VoicemailMessage = z.infer<typeof voicemailMessageSchema>;

/** A call to one's own phone to record a message: `calling`, `recording` (they answered), `saved` or `failed`. */
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

/** One's own messages by language and name, whether they may be left at all (administrators switch it on), and the newest call to record one. */
export const listVoicemailMessages = defineRoute({
  method: "GET",
  path: "/api/voicemail-messages",
  summary: "Recorded messages for voicemails",
  response: z.object({
    isOn: z.boolean(),
    messages: z.array(voicemailMessageSchema),
    /** Null where there is none of the last ten minutes. */
    recording: voicemailRecordingSchema.nullable(),
  }),
});

/**
 * Saves a WAV or MP3 file of at most 60 s and 5 MB; the body is the file itself, and its content says what it is. The first of a language is its
 * default. Errors: `sound_invalid`, `invalid` (no name, 20 messages already), `too_large`.
 */
export const uploadVoicemailMessage = defineRoute({
  method: "POST",
  path: "/api/voicemail-messages",
  summary: "Upload a recorded message for voicemails",
  query: z.object(named),
  body: z.unknown(),
  response: voicemailMessageSchema,
});

/**
 * Rings one's own phone, which asks for 1 and then for the message; the pound key ends it. The list shows how far it is, and then the message. While
 * one is under way it is answered as it is. Errors: `rep_without_phone`, `rep_on_call`, `invalid` (no name, 20 messages already), `provider_off`.
 */
export const recordVoicemailMessage = defineRoute({
  method: "POST",
  path: "/api/voicemail-messages/record",
  summary: "Record a message by phone",
  body: z.strictObject(named),
  response: voicemailRecordingSchema,
});

/** Renames one's own message, or makes it the default of its language. Errors: `invalid`, `not_found`. */
export const updateVoicemailMessage = defineRoute({
  method: "PATCH",
  path: "/api/voicemail-messages/:id",
  summary: "Change a recorded message for voicemails",
  params,
  body: z.strictObject({ name: named.name.optional(), isDefault: z.literal(true).optional() }),
  response: voicemailMessageSchema,
});

/** Deletes one's own message; what was left of it stays on the timelines. Errors: `not_found`. */
export const deleteVoicemailMessage = defineRoute({
  method: "DELETE",
  path: "/api/voicemail-messages/:id",
  summary: "Delete a recorded message for voicemails",
  params,
  response: z.object({ message: z.string() }),
});

/** The sound of one's own message, whole or a range. Errors: `not_found`. */
export const getVoicemailSound = defineRoute({
  method: "GET",
  path: "/api/voicemail-messages/:id/sound",
  summary: "Listen to a recorded message",
  params,
  response: z.unknown(),
});

/**
 * The sound as the provider fetches it, by the secret in its address; another secret finds nothing. It stands in the query, which no log keeps.
 * Errors: `not_found`.
 */
export const playVoicemailSound = defineRoute({
  method: "GET",
  path: "/api/voicemail-sound",
  summary: "A recorded message for the telephony provider",
  query: z.object({ token: z.string().max(100) }),
  response: z.unknown(),
});
