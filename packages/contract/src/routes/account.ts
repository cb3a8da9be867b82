import { z } from "zod";
import { text } from "../entities/fields.ts";
import { currentUserSchema, languages, themes } from "../entities/user.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";

/**
 * Changes the fields that are sent (specification §5). The phone may be emptied; a blank name or e-mail is refused.
 * Errors: `invalid`, `phone_invalid`, `email_taken`.
 */
export const updateProfile = defineRoute({
  method: "PATCH",
  path: "/api/profile",
  access: "user",
  summary: "Change name, e-mail or personal phone number",
  body: z.strictObject({
    name: text(limits.nameMaxLength).optional(),
    email: text(limits.emailMaxLength).optional(),
    personalPhoneNumber: text(limits.phoneMaxLength).nullable().optional(),
  }),
  response: currentUserSchema,
});

/**
 * Changes the password and ends the user's other sessions.
 * Errors: `current_password_wrong`, `password_too_short` ('Password must be at least 6 characters long.'),
 * `password_too_common`, `too_many_attempts` after five wrong ones in 15 minutes.
 */
export const changePassword = defineRoute({
  method: "PATCH",
  path: "/api/change-password",
  access: "user",
  summary: "Change the password",
  body: z.object({ currentPassword: text(1_000), newPassword: text(1_000) }),
  response: z.object({ message: z.string() }),
});

/** Keeps theme and language with the account, so that another browser shows the same. */
export const updateInterfaceSettings = defineRoute({
  method: "PATCH",
  path: "/api/interface-settings",
  access: "user",
  summary: "Keep theme and language",
  body: z.strictObject({ theme: z.enum(themes).optional(), language: z.enum(languages).optional() }),
  response: z.object({ theme: z.enum(themes), language: z.enum(languages) }),
});

/** Keeps the call settings that are sent (specification §2, Settings). */
export const updateCallSettings = defineRoute({
  method: "PATCH",
  path: "/api/call-settings",
  access: "user",
  summary: "Keep the call settings",
  body: z.strictObject({ autoDial: z.boolean().optional() }),
  response: z.object({ autoDial: z.boolean() }),
});
