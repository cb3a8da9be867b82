import { useSyncExternalStore } from "react";
import { readStored, STORAGE_KEYS, writeStored } from "../../lib/storage-keys.ts";

/** Whether this browser shows notices on the desktop: `blocked` where it does not let us, `absent` where it cannot. */
export type DesktopNotices = "on" | "off" | "blocked" | "absent";

const changed = new Set<() => void>();

export function desktopNotices(): DesktopNotices {
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

/** The same for a component; renders again when it is switched here, in another tab or in the browser's own settings. */
export function useDesktopNotices(): DesktopNotices {
  return useSyncExternalStore((listener) => {
    const stopped = new AbortController();
    changed.add(listener);
    window.addEventListener("storage", listener);
    void watchPermission(listener, stopped.signal);
    return () => {
      changed.delete(listener);
      window.removeEventListener("storage", listener);
      stopped.abort();
    };
  }, desktopNotices);
}

/** Switches the notices of this browser; the first time it asks for the permission. */
export async function setDesktopNotices(on: boolean): Promise<void> {
  if (on && Notification.permission === "default") await Notification.requestPermission();
  writeStored(STORAGE_KEYS.desktopNotifications, on ? "on" : null);
  for (const listener of changed) listener();
}

/** Shows a notice on the desktop; `tag` keeps a second one of the same from standing beside it. */
export function showDesktopNotice(
  title: string,
  { body, tag, onOpen }: { body: string; tag: string; onOpen?: () => void },
): void {
  try {
    const notice = new Notification(title, { body, tag, icon: "/favicon.svg" });
    notice.onclick = () => {
      window.focus();
      notice.close();
      onOpen?.();
    };
  } catch {
    // Chrome on Android takes notices from service workers only; the pages tell the same.
  }
}
