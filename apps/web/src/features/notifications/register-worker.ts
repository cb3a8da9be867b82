import { getPush, removePushDevice, savePushDevice } from "@portal/contract/routes/push";
import { callRoute } from "../../lib/api.ts";
import { isWorkerServed, WORKER_PATH } from "../../lib/document.ts";
import { readStored, STORAGE_KEYS, writeStored } from "../../lib/storage-keys.ts";

/** Whether this browser can have the worker: not with http, in some private windows, or if the server has switched it off. */
const canHaveWorker = (): boolean => "serviceWorker" in navigator && isWorkerServed();

/** Registers or finds the worker; null if that is not possible. The script is checked for updates each time. */
export async function registerWorker(): Promise<ServiceWorkerRegistration | null> {
  if (!canHaveWorker()) return null;
  try {
    return await navigator.serviceWorker.register(WORKER_PATH, { updateViaCache: "none" });
  } catch {
    // No network, or storage is blocked; the portal works without the worker.
    return null;
  }
}

/** Whether a call or dialer session is shown, docked or as a bar (`lib/document`). */
function isCallOn(): boolean {
  const { hasDock, hasBottomBar, hasMinimisedCall } = document.documentElement.dataset;
  return [hasDock, hasBottomBar, hasMinimisedCall].some((mark) => mark !== undefined);
}

/** Activates a waiting new version of the worker, but not during a call. */
export function letNewWorkerBegin(registration: ServiceWorkerRegistration | null): void {
  if (registration?.waiting && !isCallOn()) registration.waiting.postMessage("take-over");
}

/** Opens the page of a clicked notification when the worker asks for it, until the returned function is called. */
export function followNotifications(go: (path: string) => void): () => void {
  if (!("serviceWorker" in navigator)) return () => undefined;
  const stopped = new AbortController();
  navigator.serviceWorker.addEventListener(
    "message",
    ({ data, ports }: MessageEvent<{ open?: string } | null>) => {
      if (typeof data?.open !== "string") return;
      ports[0]?.postMessage("going");
      go(data.open);
    },
    { signal: stopped.signal },
  );
  navigator.serviceWorker.startMessages();
  return () => stopped.abort();
}

/**
 * Whether this browser supports push notifications: `unsafe` with http, `install` on an iPhone before the portal is on its home screen,
 * `absent` without support for workers or push in the browser or server, `blocked` by the user.
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

/** The response of `getPush`. */
type Push = Awaited<ReturnType<typeof callRoute<typeof getPush>>>;

const bytesOf = (key: string) =>
  Uint8Array.from(atob(key.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));

function isOfKey(subscription: PushSubscription, publicKey: string): boolean {
  const own = subscription.options.applicationServerKey;
  if (!own) return false;
  const [known, wanted] = [new Uint8Array(own), bytesOf(publicKey)];
  return known.length === wanted.length && known.every((byte, index) => byte === wanted[index]);
}

/** Subscribes to push and registers the device at the portal. Errors: those of the browser, and of `savePushDevice`. */
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

/**
 * Turns push notifications on in this browser. Requests the permission, so it must be called from a press. Returns false if it is denied.
 * Errors: as `subscribe`.
 */
export async function enablePush(push: Push, userId: number): Promise<boolean> {
  if ((await Notification.requestPermission()) !== "granted") return false;
  await subscribe(push, userId);
  return true;
}

/** Turns push off for one of the user's devices; in this browser the subscription is removed too. Errors: of `removePushDevice`. */
export async function disablePush({ id, current }: Push["devices"][number]): Promise<void> {
  await callRoute(removePushDevice, { params: { id } });
  if (current) await unsubscribe();
}

/**
 * Renews this browser's push subscription after the user signed in again, or after the portal's key was replaced: the device was removed
 * with the session. A device that the user removed from another browser stays removed. A subscription of another user in this browser is
 * removed.
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
