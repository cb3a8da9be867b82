import { z } from "zod";

/** How an installation went, as the Integrations page reads it in its address (`crm`). */
export const installResults = [
  "connected",
  "denied",
  "failed",
  /** The app was installed for several locations, or a whole agency. */
  "several",
  /** The portal works for another location. */
  "other-location",
  "signed-out",
  "not-admin",
] as const;
export type InstallResult = (typeof installResults)[number];

/** The way to the CRM. Instants are ISO strings. */
export const crmConnectionSchema = z.object({
  /** What requests carry now: the app's token, the private one, or nothing that would be taken. */
  way: z.enum(["app", "private", "none"]),
  /** The app has an id and a secret: it can be installed from here. */
  appConfigured: z.boolean(),
  /** Where the app is connected; null where it is not. */
  app: z
    .object({
      locationId: z.string(),
      locationName: z.string(),
      connectedAt: z.string(),
      /** It must be connected again: since when, and why. */
      lost: z
        .object({ at: z.string(), reason: z.enum(["refused", "uninstalled", "key-changed"]) })
        .nullable(),
      /** Its token is not renewed: the app's id or secret is refused; or it has ended, and GoHighLevel does not answer. */
      unrenewed: z.enum(["app-refused", "unanswered"]).nullable(),
      /** What the portal needs and was not granted. */
      missingScopes: z.array(z.string()),
    })
    .nullable(),
  /** HighLevel reported that the app was installed, and it is not connected since. */
  installedAt: z.string().nullable(),
  /** The private token; null where there is none. It is advised to rotate it after 90 days. */
  privateToken: z
    .object({
      /** First seen by the portal, or as an administrator said. */
      since: z.string(),
      rotateBy: z.string(),
      rotation: z.enum(["fresh", "near", "over"]),
    })
    .nullable(),
  /** When HighLevel last sent an event; null for never. */
  lastEventAt: z.string().nullable(),
  /** No events came for a week, as with a private token alone: changes are read every five minutes, what was deleted once a night. */
  noEvents: z.boolean(),
});
export type CrmConnection = z.infer<typeof crmConnectionSchema>;

/** An installation that was begun at HighLevel. `held` is encrypted, and goes back with the confirmation. */
export const foundInstallSchema = z.object({
  result: z.enum(["found", "several", "other-location", "failed"]),
  location: z.object({ id: z.string(), name: z.string() }).nullable(),
  held: z.string().nullable(),
});
export type FoundInstall = z.infer<typeof foundInstallSchema>;
