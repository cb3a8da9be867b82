import { z } from "zod";
import { idSchema, text } from "../entities/fields.ts";
import { languages } from "../entities/user.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";

/** An SMS template: the user's own, or shared by administrators with everybody. It has a text in one language or both. */
export const smsTemplateSchema = z.object({
  id: z.number(),
  name: z.string(),
  en: z.string().nullable(),
  es: z.string().nullable(),
  isShared: z.boolean(),
  /** The template sent with one click after a call that did not reach the lead. The user's own takes precedence over the shared one. */
  isForMissedCall: z.boolean(),
  /** Increases with each change of the texts or the name. */
  version: z.number(),
  savedAt: z.string(),
  /** Null for the built-in template. */
  savedBy: z.string().nullable(),
  /** Number of SMS made from any version of it that did not fail. */
  sent: z.number(),
});
export type SmsTemplate = z.infer<typeof smsTemplateSchema>;

/** A template filled in for one lead. */
export const filledTemplateSchema = smsTemplateSchema
  .pick({ id: true, name: true, en: true, es: true, isShared: true })
  .extend({ versionId: z.number() });
export type FilledTemplate = z.infer<typeof filledTemplateSchema>;

const templateParams = z.object({ id: idSchema });
const words = text(limits.smsMaxLength).nullable();
const fields = {
  name: text(limits.nameMaxLength),
  en: words,
  es: words,
  isForMissedCall: z.boolean(),
};

/** The shared templates and the user's own, by name. */
export const listSmsTemplates = defineRoute({
  method: "GET",
  path: "/api/sms/templates",
  summary: "SMS templates",
  response: z.array(smsTemplateSchema),
});

/**
 * Creates a template. Errors: `invalid` (no name, no text, an unknown field, 100 templates already), `forbidden` (only administrators can
 * share).
 */
export const createSmsTemplate = defineRoute({
  method: "POST",
  path: "/api/sms/templates",
  summary: "Create an SMS template",
  body: z.strictObject({
    ...fields,
    en: words.default(null),
    es: words.default(null),
    isForMissedCall: z.boolean().default(false),
    isShared: z.boolean().default(false),
  }),
  response: smsTemplateSchema,
});

/**
 * Changes the fields sent of the user's own template; administrators also of shared ones. The previous texts are kept as a version.
 * `version` is the one that the user saw. Errors: `invalid`, `forbidden`, `not_found`, `conflict` (somebody changed it since).
 */
export const updateSmsTemplate = defineRoute({
  method: "PATCH",
  path: "/api/sms/templates/:id",
  summary: "Update an SMS template",
  params: templateParams,
  body: z.strictObject({ ...z.object(fields).partial().shape, version: z.number().int() }),
  response: smsTemplateSchema,
});

/** Deletes a template. SMS made from it keep their text. Errors: `forbidden`, `not_found`. */
export const deleteSmsTemplate = defineRoute({
  method: "DELETE",
  path: "/api/sms/templates/:id",
  summary: "Delete an SMS template",
  params: templateParams,
  response: z.object({ message: z.string() }),
});

/**
 * The templates filled in for one lead, in both languages, and the lead's language: the confirmed one, otherwise the guessed one, otherwise
 * null. A field without a known value stays as written, and a text that contains it is not sent (`message_unfilled`). For the assigned
 * consultant and administrators. Errors: `not_found`, `not_your_lead`.
 */
export const listFilledTemplates = defineRoute({
  method: "GET",
  path: "/api/leads/:id/sms-templates",
  summary: "SMS templates filled in for a lead",
  params: templateParams,
  response: z.object({
    language: z.enum(languages).nullable(),
    templates: z.array(filledTemplateSchema),
    /** The template for a call that did not reach the lead; null if there is none. */
    missedCallId: z.number().nullable(),
  }),
});
