import { useQuery } from "@tanstack/react-query";
import { readStored, STORAGE_KEYS, type StorageKey, writeStored } from "../../lib/storage-keys.ts";
import { createStore, useStore } from "../../lib/store.ts";
import { availabilityQuery } from "../availability/queries.ts";

/** Whether this browser shows desktop notifications: `blocked` by the user, `absent` if not supported. */
type DesktopNotifications = "on" | "off" | "blocked" | "absent";

function desktopNotifications(): DesktopNotifications {
  if (!("Notification" in window)) return "absent";
  if (Notification.permission === "denied") return "blocked";
  const wanted = readStored(STORAGE_KEYS.desktopNotifications) === "on";
  return wanted && Notification.permission === "granted" ? "on" : "off";
}

/** Watches the browser's own setting for this site; without support a reload detects a change. */
async function watchPermission(listener: () => void, signal: AbortSignal): Promise<void> {
  if (!("permissions" in navigator)) return;
  const status = await navigator.permissions.query({ name: "notifications" }).catch(() => null);
  status?.addEventListener("change", listener, { signal });
}

/** The last known state; updated when it changes here, in another tab or in the browser's settings. */
const seen = createStore(desktopNotifications(), () => {
  const stopped = new AbortController();
  window.addEventListener("storage", refresh, { signal: stopped.signal });
  void watchPermission(refresh, stopped.signal);
  refresh();
  return () => stopped.abort();
});

function refresh(): void {
  seen.set(desktopNotifications());
}

/** The current state of `desktopNotifications`; re-renders when it changes. */
export function useDesktopNotifications(): DesktopNotifications {
  return useStore(seen, desktopNotifications);
}

/** Switches this browser's notifications on or off; the first time it requests the permission. */
export async function setDesktopNotifications(on: boolean): Promise<void> {
  if (on && Notification.permission === "default") await Notification.requestPermission();
  writeStored(STORAGE_KEYS.desktopNotifications, on ? "on" : null);
  refresh();
}

interface DesktopNotification {
  body: string;
  /** Notifications with the same tag replace each other. */
  tag: string;
  /** The page to open when the service worker shows it. */
  url: string;
  onOpen?: () => void;
}

/** Shows it through the service worker, if push is on in this browser, so that a push of the same event replaces it. */
async function showByWorker(title: string, { body, tag, url }: DesktopNotification): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  await registration?.showNotification(title, { body, tag, data: { url }, icon: "/icons/icon-192.png" });
}

/** Shows a desktop notification. */
export function showDesktopNotification(title: string, notification: DesktopNotification): void {
  if (readStored(STORAGE_KEYS.push) !== null) return void showByWorker(title, notification);
  const { body, tag, onOpen } = notification;
  try {
    const notice = new Notification(title, { body, tag, icon: "/favicon.svg" });
    notice.onclick = () => {
      window.focus();
      notice.close();
      onOpen?.();
    };
  } catch {
    // Chrome on Android allows notifications from service workers only.
    void showByWorker(title, notification);
  }
}

interface Claim {
  /** Storage key of the marks. */
  store: StorageKey;
  /** Identifies the notification; without spaces. */
  mark: string;
  /** Whether a mark can be removed. */
  isOver: (mark: string) => boolean;
}

function claimMark({ store, mark, isOver }: Claim): boolean {
  const marks = (readStored(store) ?? "").split(" ").filter(Boolean);
  if (marks.includes(mark)) return false;
  writeStored(store, [...marks.filter((each) => !isOver(each)), mark].join(" "));
  return true;
}

/** Whether this tab shows the notification: exactly one tab of the browser does, once. */
export async function claimOnce(claim: Claim): Promise<boolean> {
  // Without Web Locks (plain http in a LAN) two tabs may claim at the same moment; the notification's tag then merges them.
  if (!("locks" in navigator)) return claimMark(claim);
  return navigator.locks.request(claim.store, async () => claimMark(claim));
}

/**
 * Whether this browser shows desktop notifications now: permitted, and the user is not away or outside working hours. Null until that is
 * known.
 */
export function useNotifiesOnDesktop(): boolean | null {
  const isOn = useDesktopNotifications() === "on";
  const { data, isPending } = useQuery({ ...availabilityQuery(), enabled: isOn });
  if (!isOn) return false;
  if (data) return data.state === "available";
  return isPending ? null : true;
}
