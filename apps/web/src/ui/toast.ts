import { createStore, useStore } from "../lib/store.ts";

export type ToastTone = "default" | "success" | "warning" | "destructive";

export interface ToastMessage {
  title: string;
  description?: string;
  tone?: ToastTone;
  /** The failure it tells of: where the server failed, its request is named. */
  error?: unknown;
  /** What a press on the toast opens. */
  onOpen?: () => void;
  /** The lead whose name ends the title; the name opens their panel. */
  lead?: { id: number; name: string };
}

interface ShownToast extends ToastMessage {
  id: number;
}

const current = createStore<ShownToast | null>(null);
let lastId = 0;

/** Shows a toast; one at a time, so it takes the place of the one on screen. */
export function toast(message: ToastMessage): void {
  lastId += 1;
  current.set({ ...message, id: lastId });
}

/** Takes the toast away. */
export function dismissToast(): void {
  current.set(null);
}

/** The toast to show, for `Toaster`. */
export function useCurrentToast(): ShownToast | null {
  return useStore(current);
}
