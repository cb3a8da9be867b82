import { z } from "zod";
import { firstCallMinutes } from "./today.ts";
import { roles } from "./user.ts";

/** The user's notification settings. Desktop notifications also need the browser's permission. */
export const notificationSettingsSchema = z.object({
  /** Emails about inbound SMS, missed calls of the user's leads and meetings; sent only if mail is configured. */
  email: z.boolean(),
  /** Desktop notifications of inbound SMS. */
  sms: z.boolean(),
  /** Desktop notifications of missed calls. */
  calls: z.boolean(),
  /** Desktop notifications before meetings. */
  meetings: z.boolean(),
  /**
   * Whether push notifications, which also show on locked screens, include names and message text. If false, they only say what happened.
   */
  pushNames: z.boolean(),
});
export type NotificationSettings = z.infer<typeof notificationSettingsSchema>;

/** The user's call settings. */
export const callSettingsSchema = z.object({
  /** Calls are recorded by the provider. */
  callRecording: z.boolean(),
  /** Callers' voicemails are transcribed, if the provider supports it. */
  voicemailTranscription: z.boolean(),
  /** The auto-dialer dials the next lead after the delay. If false, each call waits for "Call now". */
  autoDial: z.boolean(),
  /** The user must press 1 before the lead is dialed, so that the user's own voicemail is never connected to a lead. */
  pressOne: z.boolean(),
});
export type CallSettings = z.infer<typeof callSettingsSchema>;

/** Settings of the whole organization, set by administrators. */
export const organisationSettingsSchema = z.object({
  /** The provider detects whether a person or a machine answers an outbound call. Costs about 0.0075 US dollars per call. */
  machineDetection: z.boolean(),
  /** Consultants may leave a recorded message on the voicemail of leads who consented to contact. Requires `machineDetection`. */
  voicemailDrop: z.boolean(),
  /** Roles that must set up a second factor before they can use the portal. */
  secondFactorRoles: z.array(z.enum(roles)),
  /** Target for the first call to a new lead, in minutes of working time. */
  firstCallMinutes: z.number().int().min(firstCallMinutes.from).max(firstCallMinutes.until),
});
export type OrganisationSettings = z.infer<typeof organisationSettingsSchema>;

/** Everything the settings page shows besides the current user. */
export const settingsSchema = z.object({
  notifications: notificationSettingsSchema,
  calls: callSettingsSchema,
  /** Whether the server can send email. */
  mail: z.boolean(),
  signIn: z.object({
    /** Whether the account's password is stored and changed here. Accounts linked to a login provider change theirs there. */
    password: z.boolean(),
    /**
     * The external login provider: its name, whether this account is linked, whether the user can unlink it (requires a local password to
     * sign in with afterwards), and the URL of its password page. Null if no provider is configured.
     */
    provider: z
      .object({
        name: z.string(),
        linked: z.boolean(),
        canUnlink: z.boolean(),
        passwordPage: z.string().nullable(),
      })
      .nullable(),
  }),
});
export type Settings = z.infer<typeof settingsSchema>;

/** A browser session of the user. */
export const userSessionSchema = z.object({
  id: z.number(),
  /** Whether this is the session that makes the request. */
  current: z.boolean(),
  createdAt: z.string(),
  /** Accurate to 15 minutes. */
  lastSeenAt: z.string(),
  address: z.string().nullable(),
  /** The browser's User-Agent header. */
  userAgent: z.string().nullable(),
});
export type UserSession = z.infer<typeof userSessionSchema>;

/** A successful or refused sign-in to the user's account. */
export const signInSchema = z.object({
  id: z.number(),
  /** For several refused attempts in one entry, the latest one. */
  at: z.string(),
  refused: z.boolean(),
  /** `link`: the user set a password with a one-time link. */
  by: z.enum(["password", "provider", "link", "passkey"]),
  /** Number of refused attempts; those within 15 minutes share one entry. */
  count: z.number(),
  /** Null if not recorded, or if the entry covers several attempts. */
  address: z.string().nullable(),
  /** The browser's User-Agent header. */
  userAgent: z.string().nullable(),
});
export type SignIn = z.infer<typeof signInSchema>;
