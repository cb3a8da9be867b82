import { getPush, removePushDevice, savePushDevice } from "@portal/contract/routes/push";
import { callRoute } from "../../lib/api.ts";
import { readStored, STORAGE_KEYS, writeStored } from "../../lib/storage-keys.ts";
import { canHaveWorker, registerWorker } from "./register-worker.ts";

/**
 * Whether this browser can take push notifications: `unsafe` by http, `install` on an iPhone before the portal is on its home screen, `absent`
 * where the browser or the server has no worker or no push, `blocked` by its person.
 */
type PushAbility = "able" | "unsafe" | "install" | "absent" | "blocked";

const isAppleHandheld = () =>
  /\b(?:iPhone|iPad|iPod)\b/.test(navigator.userAgent) ||
  (/\bMacintosh\b/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

export function pushAbility(): PushAbility {
  if (!window.isSecureContext) return "unsafe";
  if (!("PushManager" in window && "Notification" in window)) return isAppleHandheld() ? "install" : "absent";
  if (!canHaveWorker()) return "absent";
  return Notification.permission === "denied" ? "blocked" : "able";
}

/** The answer to `getPush`. */
type Push = Awaited<ReturnType<typeof callRoute<typeof getPush>>>;

const bytesOf = (key: string) =>
  Uint8Array.from(atob(key.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));

function isOfKey(subscription: PushSubscription, publicKey: string): boolean {
  const own = subscription.options.applicationServerKey;
  if (!own) return false;
  const [known, wanted] = [new Uint8Array(own), bytesOf(publicKey)];
  return known.length === wanted.length && known.every((byte, index) => byte === wanted[index]);
}

/** Subscribes, and registers the device at the portal. Errors: those of the browser, and of `savePushDevice`. */
async function subscribe({ publicKey, session }: Push, userId: number): Promise<void> {
  const registration = await registerWorker();
  if (!registration) throw new Error("no worker");
  const known = await registration.pushManager.getSubscription();
  if (known && !isOfKey(known, publicKey)) await known.unsubscribe();
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: bytesOf(publicKey),
  });
  const { endpoint = "", keys: { p256dh = "", auth = "" } = {} } = subscription.toJSON();
  await callRoute(savePushDevice, { body: { endpoint, keys: { p256dh, auth } } });
  writeStored(STORAGE_KEYS.push, `${userId}@${session}`);
}

async function forgetSubscription(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

async function unsubscribe(): Promise<void> {
  writeStored(STORAGE_KEYS.push, null);
  await forgetSubscription();
}

/** Turns push notifications on in this browser: asks for the permission, so only on a press. False where it is not given. Errors: as `subscribe`. */
export async function enablePush(push: Push, userId: number): Promise<boolean> {
  if ((await Notification.requestPermission()) !== "granted") return false;
  await subscribe(push, userId);
  return true;
}

/** Turns them off in one of the person's browsers; in this one the browser forgets its subscription as well. Errors: of `removePushDevice`. */
export async function disablePush({ id, current }: Push["devices"][number]): Promise<void> {
  await callRoute(removePushDevice, { params: { id } });
  if (current) await unsubscribe();
}

/**
 * Joins this browser again after its person signed in anew, or after the portal's key was replaced: they turned it on here, and the device
 * went with the session. One that they removed from another browser stays out. What another person turned on here reaches this device no
 * more, though their session may not have ended.
 */
export async function resumePush(userId: number): Promise<void> {
  const [user, session] = (readStored(STORAGE_KEYS.push) ?? "").split("@");
  if (!user || pushAbility() !== "able" || Notification.permission !== "granted") return;
  if (user !== String(userId)) return forgetSubscription();
  const push = await callRoute(getPush);
  if (push.devices.some(({ current }) => current)) return;
  const registration = await registerWorker();
  const known = await registration?.pushManager.getSubscription();
  const isRemoved = session === String(push.session) && known && isOfKey(known, push.publicKey);
  if (isRemoved) await unsubscribe();
  else await subscribe(push, userId);
}
