import { z } from "zod";

/** Result of an app installation, passed to the Integrations page in its URL (`crm`). */
export const installResults = [
  "connected",
  "denied",
  "failed",
  /** The app was installed for several locations or for a whole agency. */
  "several",
  /** The portal is configured for another location. */
  "other-location",
  "signed-out",
  "not-admin",
] as const;
export type InstallResult = (typeof installResults)[number];

/** The connection to the CRM. Timestamps are ISO strings. */
export const crmConnectionSchema = z.object({
  /** The token that requests use now: the app's, the private one, or none that is valid. */
  way: z.enum(["app", "private", "none"]),
  /** Whether the app's id and secret are configured, so that it can be installed from here. */
  appConfigured: z.boolean(),
  /** The app's connection; null if not connected. */
  app: z
    .object({
      locationId: z.string(),
      locationName: z.string(),
      connectedAt: z.string(),
      /** Set if the app must be connected again: since when and why. */
      lost: z
        .object({ at: z.string(), reason: z.enum(["refused", "uninstalled", "key-changed"]) })
        .nullable(),
      /**
       * Why the token cannot be renewed: `app-refused` if the app's id or secret is refused, `unanswered` if the token has expired and
       * GoHighLevel does not respond.
       */
      unrenewed: z.enum(["app-refused", "unanswered"]).nullable(),
      /** Scopes that the portal needs but was not granted. */
      missingScopes: z.array(z.string()),
    })
    .nullable(),
  /** When HighLevel reported an installation that has not been connected yet; null if none. */
  installedAt: z.string().nullable(),
  /** The private token; null if none is set. Rotation is recommended after 90 days. */
  privateToken: z
    .object({
      /** When the portal first saw the token, or the date an administrator entered. */
      since: z.string(),
      rotateBy: z.string(),
      rotation: z.enum(["fresh", "near", "over"]),
    })
    .nullable(),
  /** When HighLevel last sent an event; null if never. */
  lastEventAt: z.string().nullable(),
  /**
   * No events were received for a week, as with a private token alone. Changes are then read every five minutes and deletions once a night.
   */
  noEvents: z.boolean(),
});
export type CrmConnection = z.infer<typeof crmConnectionSchema>;

/** An installation that was started at HighLevel. `held` is encrypted and is sent back with the confirmation. */
export const foundInstallSchema = z.object({
  result: z.enum(["found", "several", "other-location", "failed"]),
  location: z.object({ id: z.string(), name: z.string() }).nullable(),
  held: z.string().nullable(),
});
export type FoundInstall = z.infer<typeof foundInstallSchema>;
