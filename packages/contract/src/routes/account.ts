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
 * Changes the fields sent. The phone number may be cleared; a blank name or email is refused. Errors: `invalid`, `phone_invalid`,
 * `email_taken`, `image_invalid`.
 */
export const updateProfile = defineRoute({
  method: "PATCH",
  path: "/api/profile",
  summary: "Change name, email, picture or personal phone number",
  body: z.strictObject({
    name: text(limits.nameMaxLength).optional(),
    email: text(limits.emailMaxLength).optional(),
    personalPhoneNumber: text(limits.phoneMaxLength).nullable().optional(),
    /** A data URL of a PNG, JPEG or WebP picture of at most 512 kB, validated by its content; null removes the picture. */
    profileImage: text(limits.photoDataUrlMaxLength).nullable().optional(),
  }),
  response: currentUserSchema,
});

/**
 * Changes the password and ends the user's other sessions. Errors: `current_password_wrong`, `password_too_short` ('Password must be at
 * least 6 characters long.'), `password_too_common`, `password_guessable`, `passwords_off` (managed by the external login provider),
 * `too_many_attempts` after five wrong ones in 15 minutes.
 */
export const changePassword = defineRoute({
  method: "PATCH",
  path: "/api/change-password",
  summary: "Change the password",
  body: z.object({ currentPassword: text(1_000), newPassword: text(1_000) }),
  response: z.object({ message: z.string() }),
});

/**
 * Unlinks the account from the login provider and ends the user's other sessions. From then on the user signs in with the local password.
 * Errors: `passwords_off` (password sign-in is disabled), `current_password_wrong`, `too_many_attempts`, `not_found` (not linked).
 */
export const unlinkProvider = defineRoute({
  method: "POST",
  path: "/api/login-link/end",
  summary: "Unlink the login provider",
  body: z.strictObject({ currentPassword: text(1_000) }),
  response: z.object({ message: z.string() }),
});

/**
 * Saves theme, language, single-key shortcuts, list settings and whether the sidebar stays open with the account, so that other browsers
 * show the same. Of `lists`, only the lists sent change.
 */
export const updateInterfaceSettings = defineRoute({
  method: "PATCH",
  path: "/api/interface-settings",
  summary: "Save theme, language, single keys and the layout of lists",
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

/** Saves the call settings sent. */
export const updateCallSettings = defineRoute({
  method: "PATCH",
  path: "/api/call-settings",
  summary: "Save the call settings",
  body: z.strictObject(callSettingsSchema.partial().shape),
  response: callSettingsSchema,
});

/** Saves the notification settings sent. */
export const updateNotificationSettings = defineRoute({
  method: "PATCH",
  path: "/api/notification-settings",
  summary: "Save the notification settings",
  body: z.strictObject(notificationSettingsSchema.partial().shape),
  response: notificationSettingsSchema,
});

/** Everything the settings page shows besides the current user. */
export const getSettings = defineRoute({
  method: "GET",
  path: "/api/settings",
  summary: "The user's settings",
  response: settingsSchema,
});

/** The user's sessions, newest first. */
export const listSessions = defineRoute({
  method: "GET",
  path: "/api/sessions",
  summary: "Active sessions of the user",
  response: z.array(userSessionSchema),
});

/** The latest successful and refused sign-ins to the user's account within 90 days, newest first. */
export const listSignIns = defineRoute({
  method: "GET",
  path: "/api/sign-ins",
  summary: "Sign-ins to the user's account, with rejected ones",
  response: z.array(signInSchema),
});

/** Ends one of the user's sessions. Errors: `not_found`. */
export const endSession = defineRoute({
  method: "DELETE",
  path: "/api/sessions/:id",
  summary: "End a session of the user",
  params: z.object({ id: idSchema }),
  response: z.object({ message: z.string() }),
});

/** Ends all of the user's other sessions. */
export const endOtherSessions = defineRoute({
  method: "DELETE",
  path: "/api/sessions",
  summary: "End all other sessions of the user",
  response: z.object({ message: z.string(), ended: z.number() }),
});

/** A user's picture, at the URL given in `profileImage`. 404 if there is none. */
export const getPhoto = defineRoute({
  method: "GET",
  path: "/api/users/:id/photo",
  summary: "A user's picture",
  params: z.object({ id: idSchema }),
  response: z.unknown(),
});
