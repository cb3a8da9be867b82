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

/** The same for a component; renders again when it is switched here or in another tab. */
export function useDesktopNotices(): DesktopNotices {
  return useSyncExternalStore((listener) => {
    changed.add(listener);
    window.addEventListener("storage", listener);
    return () => {
      changed.delete(listener);
      window.removeEventListener("storage", listener);
    };
  }, desktopNotices);
}

/** Switches the notices of this browser; the first time it asks for the permission. */
export async function setDesktopNotices(on: boolean): Promise<void> {
  if (on && Notification.permission === "default") await Notification.requestPermission();
  writeStored(STORAGE_KEYS.desktopNotifications, on ? "on" : null);
  for (const listener of changed) listener();
}
