import { z } from "zod";
import { idSchema, text } from "../entities/fields.ts";
import { defineRoute } from "../route.ts";

/** A browser that receives the user's push notifications. */
export const pushDeviceSchema = z.object({
  id: z.number(),
  /** Whether this is the browser that makes the request. */
  current: z.boolean(),
  createdAt: z.string(),
  /** The browser's User-Agent header. */
  userAgent: z.string().nullable(),
});
export type PushDevice = z.infer<typeof pushDeviceSchema>;

/**
 * The user's devices, newest first, the key that browsers subscribe with (VAPID, base64url), and the id of the current session. If it
 * differs from the session a browser subscribed with, its device ended with that session.
 */
export const getPush = defineRoute({
  method: "GET",
  path: "/api/push",
  summary: "Devices with push notifications of the user",
  response: z.object({ publicKey: z.string(), session: z.number(), devices: z.array(pushDeviceSchema) }),
});

/**
 * Enables push notifications for this browser until its session ends. The body is the browser's `PushSubscription`. Idempotent. With
 * `isRenewal`, sent automatically by the browser, the new endpoint is only accepted if this session already has a device, so that nobody
 * receives notifications another user enabled here. Errors: `invalid` (not an endpoint of a supported push service, or missing keys),
 * `not_found` (nothing to renew).
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

/** Disables push notifications for a browser. Errors: `not_found`. */
export const removePushDevice = defineRoute({
  method: "DELETE",
  path: "/api/push/devices/:id",
  summary: "Turn push notifications off for a browser",
  params: z.object({ id: idSchema }),
  response: z.object({ message: z.string() }),
});

/**
 * Sends a test notification to this browser, at most one in 5 s. Errors: `not_found` (not enabled, or its push service no longer knows it),
 * `rate_limited`, `provider_refused`, `provider_unavailable`.
 */
export const testPush = defineRoute({
  method: "POST",
  path: "/api/push/test",
  summary: "Send a test notification to this browser",
  response: z.object({ message: z.string() }),
});
