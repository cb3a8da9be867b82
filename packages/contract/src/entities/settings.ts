import { z } from "zod";
import { firstCallMinutes } from "./today.ts";
import { roles } from "./user.ts";

/** Which notifications a user wants. Desktop notifications also need the browser's permission. */
export const notificationSettingsSchema = z.object({
  /** Notices by e-mail: inbound texts and missed calls of one's leads, and meetings; only where mail is configured. */
  email: z.boolean(),
  /** Desktop notifications of inbound texts. */
  sms: z.boolean(),
  /** Desktop notifications of missed calls. */
  calls: z.boolean(),
  /** Desktop notifications before meetings. */
  meetings: z.boolean(),
  /** Names and words in push notifications, which show on locked screens too; without them only what happened. */
  pushNames: z.boolean(),
});
export type NotificationSettings = z.infer<typeof notificationSettingsSchema>;

/** How calls of this user are made. */
export const callSettingsSchema = z.object({
  /** The provider records the calls. */
  callRecording: z.boolean(),
  /** Voicemails of callers are written down, where the provider does that. */
  voicemailTranscription: z.boolean(),
  /** The auto-dialer rings by itself after the delay; off, each call waits for "Call now". */
  autoDial: z.boolean(),
  /** The user presses 1 before the lead is dialled, so that their own voicemail never meets a customer. */
  pressOne: z.boolean(),
});
export type CallSettings = z.infer<typeof callSettingsSchema>;

/** What holds for everybody, set by administrators. */
export const organisationSettingsSchema = z.object({
  /** The provider detects whether a person or a machine answers an outbound call, for about 0.0075 US dollars a call. */
  machineDetection: z.boolean(),
  /** Consultants may leave a recorded message at the voicemail of leads who agreed to be contacted. It needs `machineDetection`. */
  voicemailDrop: z.boolean(),
  /** Roles that may do nothing before they have set up a second factor. */
  secondFactorRoles: z.array(z.enum(roles)),
  /** Minutes of working time that the first call to a new lead may take. */
  firstCallMinutes: z.number().int().min(firstCallMinutes.from).max(firstCallMinutes.until),
});
export type OrganisationSettings = z.infer<typeof organisationSettingsSchema>;

/** All that the settings page shows beside the current user. */
export const settingsSchema = z.object({
  notifications: notificationSettingsSchema,
  calls: callSettingsSchema,
  /** Whether the server can send mail. */
  mail: z.boolean(),
  signIn: z.object({
    /** Whether this account's password is kept and changed here; whoever is linked to a login provider changes theirs there. */
    password: z.boolean(),
    /**
     * The external login provider: its name, whether this account is linked to it, whether its owner can unlink it (a password kept here opens
     * the account then), and where it changes passwords; null without one.
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

/** A signed-in browser. */
export const userSessionSchema = z.object({
  id: z.number(),
  /** The session that asks. */
  current: z.boolean(),
  createdAt: z.string(),
  /** To a quarter of an hour. */
  lastSeenAt: z.string(),
  address: z.string().nullable(),
  /** What the browser says of itself. */
  userAgent: z.string().nullable(),
});
export type UserSession = z.infer<typeof userSessionSchema>;

/** A sign-in to the user's account, or one that was refused. */
export const signInSchema = z.object({
  id: z.number(),
  /** Of several refused ones, the latest. */
  at: z.string(),
  refused: z.boolean(),
  /** `link`: a password was chosen by a one-time link. */
  by: z.enum(["password", "provider", "link", "passkey"]),
  /** So many refused ones of a quarter of an hour are one entry. */
  count: z.number(),
  /** Null where it was not kept, or where several have one entry. */
  address: z.string().nullable(),
  /** What the browser says of itself. */
  userAgent: z.string().nullable(),
});
export type SignIn = z.infer<typeof signInSchema>;
