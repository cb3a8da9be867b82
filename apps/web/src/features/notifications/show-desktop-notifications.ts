import { readStored, STORAGE_KEYS, type StorageKey, writeStored } from "../../lib/storage-keys.ts";
import { createStore, useStore } from "../../lib/store.ts";

/** Whether this browser shows notifications on the desktop: `blocked` where it does not let us, `absent` where it cannot. */
type DesktopNotifications = "on" | "off" | "blocked" | "absent";

function desktopNotifications(): DesktopNotifications {
  if (!("Notification" in window)) return "absent";
  if (Notification.permission === "denied") return "blocked";
  const wanted = readStored(STORAGE_KEYS.desktopNotifications) === "on";
  return wanted && Notification.permission === "granted" ? "on" : "off";
}

/** The browser's own switch for this site; where it cannot be watched, a reload finds it. */
async function watchPermission(listener: () => void, signal: AbortSignal): Promise<void> {
  if (!("permissions" in navigator)) return;
  const status = await navigator.permissions.query({ name: "notifications" }).catch(() => null);
  status?.addEventListener("change", listener, { signal });
}

/** What was last seen; it changes when it is switched here, in another tab or in the browser's own settings. */
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

/** `desktopNotifications` for a component, drawn again when it changes. */
export function useDesktopNotifications(): DesktopNotifications {
  return useStore(seen, desktopNotifications);
}

/** Switches the notifications of this browser; the first time it asks for the permission. */
export async function setDesktopNotifications(on: boolean): Promise<void> {
  if (on && Notification.permission === "default") await Notification.requestPermission();
  writeStored(STORAGE_KEYS.desktopNotifications, on ? "on" : null);
  refresh();
}

interface DesktopNotification {
  body: string;
  /** Keeps a second one of the same from standing beside it. */
  tag: string;
  /** The page that it opens where the service worker shows it. */
  url: string;
  onOpen?: () => void;
}

/** The worker's, where push notifications are on in this browser: the push of the same then takes its place. */
async function showByWorker(title: string, { body, tag, url }: DesktopNotification): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  await registration?.showNotification(title, { body, tag, data: { url }, icon: "/icons/icon-192.png" });
}

/** Shows a notification on the desktop. */
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
    // Chrome on Android takes them from service workers only.
    void showByWorker(title, notification);
  }
}

interface Claim {
  /** Where this browser keeps the marks of what was shown. */
  store: StorageKey;
  /** Stands for what is shown; without spaces. */
  mark: string;
  /** Whether a mark is of no more use. */
  isOver: (mark: string) => boolean;
}

function claimMark({ store, mark, isOver }: Claim): boolean {
  const marks = (readStored(store) ?? "").split(" ").filter(Boolean);
  if (marks.includes(mark)) return false;
  writeStored(store, [...marks.filter((each) => !isOver(each)), mark].join(" "));
  return true;
}

/** Whether this tab is the one that notifies: of all tabs of the browser exactly one, once. */
export async function claimOnce(claim: Claim): Promise<boolean> {
  // Without Web Locks (plain http in a LAN) two tabs may look at the same moment; the notification's tag then holds them together.
  if (!("locks" in navigator)) return claimMark(claim);
  return navigator.locks.request(claim.store, async () => claimMark(claim));
}
