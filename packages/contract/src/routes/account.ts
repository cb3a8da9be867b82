import { z } from "zod";
import { idSchema, text } from "../entities/fields.ts";
import {
  callSettingsSchema,
  notificationSettingsSchema,
  settingsSchema,
  signInSchema,
  userSessionSchema,
} from "../entities/settings.ts";
import { currentUserSchema, languages, listSettingsSchema, themes } from "../entities/user.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";

/**
 * Changes the fields that are sent. The phone may be emptied; a blank name or e-mail is refused.
 * Errors: `invalid`, `phone_invalid`, `email_taken`, `image_invalid`.
 */
export const updateProfile = defineRoute({
  method: "PATCH",
  path: "/api/profile",
  summary: "Change name, email, picture or personal phone number",
  body: z.strictObject({
    name: text(limits.nameMaxLength).optional(),
    email: text(limits.emailMaxLength).optional(),
    personalPhoneNumber: text(limits.phoneMaxLength).nullable().optional(),
    /** A data URL of a png, jpeg or webp picture of at most 512 kB, checked by its content; null takes it away. */
    profileImage: text(limits.photoDataUrlMaxLength).nullable().optional(),
  }),
  response: currentUserSchema,
});

/**
 * Changes the password and ends the user's other sessions.
 * Errors: `current_password_wrong`, `password_too_short` ('Password must be at least 6 characters long.'),
 * `password_too_common`, `password_guessable`, `passwords_off` (the external login provider keeps it), `too_many_attempts` after five wrong ones in 15 minutes.
 */
export const changePassword = defineRoute({
  method: "PATCH",
  path: "/api/change-password",
  summary: "Change the password",
  body: z.object({ currentPassword: text(1_000), newPassword: text(1_000) }),
  response: z.object({ message: z.string() }),
});

/**
 * Unlinks the account from the login provider and ends the user's other sessions; the password kept here opens it from then on.
 * Errors: `passwords_off` (none is taken), `current_password_wrong`, `too_many_attempts`, `not_found` (nothing is linked).
 */
export const unlinkProvider = defineRoute({
  method: "POST",
  path: "/api/login-link/end",
  summary: "Unlink the login provider",
  body: z.strictObject({ currentPassword: text(1_000) }),
  response: z.object({ message: z.string() }),
});

/** Keeps theme, language, whether single keys act, how lists are looked at and whether the sidebar stays open with the account, so that another browser shows the same. Of `lists` those that are sent. */
export const updateInterfaceSettings = defineRoute({
  method: "PATCH",
  path: "/api/interface-settings",
  summary: "Keep theme, language, single keys and the layout of lists",
  body: z.strictObject({
    theme: z.enum(themes).optional(),
    language: z.enum(languages).optional(),
    singleKeys: z.boolean().optional(),
    lists: listSettingsSchema.optional(),
    sidebarPinned: z.boolean().optional(),
  }),
  response: z.object({
    theme: z.enum(themes),
    language: z.enum(languages),
    singleKeys: z.boolean(),
    lists: listSettingsSchema,
    sidebarPinned: z.boolean(),
  }),
});

/** Keeps the call settings that are sent. */
export const updateCallSettings = defineRoute({
  method: "PATCH",
  path: "/api/call-settings",
  summary: "Keep the call settings",
  body: z.strictObject(callSettingsSchema.partial().shape),
  response: callSettingsSchema,
});

/** Keeps the notifications that are sent. */
export const updateNotificationSettings = defineRoute({
  method: "PATCH",
  path: "/api/notification-settings",
  summary: "Keep which notices are wanted",
  body: z.strictObject(notificationSettingsSchema.partial().shape),
  response: notificationSettingsSchema,
});

/** What the settings page shows beside the current user. */
export const getSettings = defineRoute({
  method: "GET",
  path: "/api/settings",
  summary: "The user's settings",
  response: settingsSchema,
});

/** Where the user is signed in, the newest first. */
export const listSessions = defineRoute({
  method: "GET",
  path: "/api/sessions",
  summary: "Browsers that are signed in",
  response: z.array(userSessionSchema),
});

/** The latest sign-ins to the user's account and the latest that were refused, of 90 days, the newest first. */
export const listSignIns = defineRoute({
  method: "GET",
  path: "/api/sign-ins",
  summary: "Sign-ins to one's account, refused ones too",
  response: z.array(signInSchema),
});

/** Signs out there: one of one's own sessions. Errors: `not_found`. */
export const endSession = defineRoute({
  method: "DELETE",
  path: "/api/sessions/:id",
  summary: "End one of one's sessions",
  params: z.object({ id: idSchema }),
  response: z.object({ message: z.string() }),
});

/** Signs out everywhere else. */
export const endOtherSessions = defineRoute({
  method: "DELETE",
  path: "/api/sessions",
  summary: "End all sessions but this one",
  response: z.object({ message: z.string(), ended: z.number() }),
});

/** A user's picture, as `profileImage` names it. 404 where there is none. */
export const getPhoto = defineRoute({
  method: "GET",
  path: "/api/users/:id/photo",
  summary: "A user's picture",
  params: z.object({ id: idSchema }),
  response: z.unknown(),
});
