import { createStore, useStore } from "../lib/store.ts";

export type ToastTone = "default" | "success" | "warning" | "destructive";

export interface ToastMessage {
  title: string;
  description?: string;
  tone?: ToastTone;
  /** The error it reports: if the server failed, the toast shows the request's id. */
  error?: unknown;
  /** Called by a press on the toast. */
  onOpen?: () => void;
  /** The lead whose name ends the title; the name opens the lead's panel. */
  lead?: { id: number; name: string };
}

interface ShownToast extends ToastMessage {
  id: number;
}

const current = createStore<ShownToast | null>(null);
let lastId = 0;

/** Shows a toast, replacing the current one. */
export function toast(message: ToastMessage): void {
  lastId += 1;
  current.set({ ...message, id: lastId });
}

/** Removes the toast. */
export function dismissToast(): void {
  current.set(null);
}

/** The toast to show, for `Toaster`. */
export function useCurrentToast(): ShownToast | null {
  return useStore(current);
}
