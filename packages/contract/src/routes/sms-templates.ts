import { z } from "zod";
import { idSchema, text } from "../entities/fields.ts";
import { languages } from "../entities/user.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";

/** A template of texts: one's own, or shared by administrators with everybody. It has words in one language or in both. */
export const smsTemplateSchema = z.object({
  id: z.number(),
  name: z.string(),
  en: z.string().nullable(),
  es: z.string().nullable(),
  isShared: z.boolean(),
  /** The one that is sent by one press after a call that did not reach the lead; one's own goes before the shared one. */
  isForMissedCall: z.boolean(),
  /** Grows with each change of the words or the name. */
  version: z.number(),
  savedAt: z.string(),
  /** Null for the one that comes with the portal. */
  savedBy: z.string().nullable(),
  /** Texts that were made of it, of any version, and did not fail. */
  sent: z.number(),
});
export type SmsTemplate = z.infer<typeof smsTemplateSchema>;

/** A template with what is known of one lead in its places. */
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

/** The shared templates and one's own, by name. */
export const listSmsTemplates = defineRoute({
  method: "GET",
  path: "/api/sms/templates",
  summary: "Templates of texts",
  response: z.array(smsTemplateSchema),
});

/**
 * Saves a template. Errors: `invalid` (no name, no words, a field that there is not, 100 templates already), `forbidden` (only
 * administrators share).
 */
export const createSmsTemplate = defineRoute({
  method: "POST",
  path: "/api/sms/templates",
  summary: "Save a template of texts",
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
 * Changes what is sent of one's own template, administrators also of a shared one; its words before stay as a version. `version` is the one that the
 * person saw. Errors: `invalid`, `forbidden`, `not_found`, `conflict` (somebody changed it meanwhile).
 */
export const updateSmsTemplate = defineRoute({
  method: "PATCH",
  path: "/api/sms/templates/:id",
  summary: "Change a template of texts",
  params: templateParams,
  body: z.strictObject({ ...z.object(fields).partial().shape, version: z.number().int() }),
  response: smsTemplateSchema,
});

/** Texts that were made of it keep their words. Errors: `forbidden`, `not_found`. */
export const deleteSmsTemplate = defineRoute({
  method: "DELETE",
  path: "/api/sms/templates/:id",
  summary: "Delete a template of texts",
  params: templateParams,
  response: z.object({ message: z.string() }),
});

/**
 * The templates as they would go to one lead, in both languages, and which of them is the lead's: the confirmed one, else the guessed one, else
 * null. A field that nothing is known for stays as it is written, and a text that holds it is not sent (`message_unfilled`). The assignee and
 * administrators may. Errors: `not_found`, `not_your_lead`.
 */
export const listFilledTemplates = defineRoute({
  method: "GET",
  path: "/api/leads/:id/sms-templates",
  summary: "Templates of texts filled in for a lead",
  params: templateParams,
  response: z.object({
    language: z.enum(languages).nullable(),
    templates: z.array(filledTemplateSchema),
    /** The one for a call that did not reach the lead; null where there is none. */
    missedCallId: z.number().nullable(),
  }),
});
