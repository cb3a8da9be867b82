import { z } from "zod";
import { idSchema, text } from "../entities/fields.ts";
import { defineRoute } from "../route.ts";

/** A browser that takes push notifications of its user. */
export const pushDeviceSchema = z.object({
  id: z.number(),
  /** The browser that asks. */
  current: z.boolean(),
  createdAt: z.string(),
  /** What the browser says of itself. */
  userAgent: z.string().nullable(),
});
export type PushDevice = z.infer<typeof pushDeviceSchema>;

/**
 * The user's devices, the newest first, the key that a browser subscribes with (VAPID, base64url), and the number of the session that asks:
 * with another one than a browser joined by, its device went with that session.
 */
export const getPush = defineRoute({
  method: "GET",
  path: "/api/push",
  summary: "Devices with push notifications",
  response: z.object({ publicKey: z.string(), session: z.number(), devices: z.array(pushDeviceSchema) }),
});

/**
 * Sends push notifications to this browser for as long as its session lasts. The body is what the browser's `PushSubscription` says of
 * itself; sent again it changes nothing. A renewal is the browser's own: its new address is taken where this session has a device already, so
 * that nobody gets the one that another person turned on here.
 * Errors: `invalid` (not an address of a push service that the portal sends to, or no keys of one), `not_found` (nothing to renew).
 */
export const savePushDevice = defineRoute({
  method: "POST",
  path: "/api/push/devices",
  summary: "Turn push notifications on for this browser",
  body: z.object({
    endpoint: text(2_000),
    keys: z.object({ p256dh: text(200), auth: text(100) }),
    isRenewal: z.boolean().optional(),
  }),
  response: pushDeviceSchema,
});

/** Sends none to that browser any more. Errors: `not_found`. */
export const removePushDevice = defineRoute({
  method: "DELETE",
  path: "/api/push/devices/:id",
  summary: "Turn push notifications off for a browser",
  params: z.object({ id: idSchema }),
  response: z.object({ message: z.string() }),
});

/**
 * Sends a notification to this browser, now; at most one in 5 s.
 * Errors: `not_found` (it takes none, or its push service knows it no more), `rate_limited`, `provider_refused`, `provider_unavailable`.
 */
export const testPush = defineRoute({
  method: "POST",
  path: "/api/push/test",
  summary: "Send a test notification to this browser",
  response: z.object({ message: z.string() }),
});
