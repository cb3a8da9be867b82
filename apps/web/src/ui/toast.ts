import { useSyncExternalStore } from "react";

export type ToastTone = "default" | "success" | "warning" | "destructive";

export interface ToastMessage {
  title: string;
  description?: string;
  tone?: ToastTone;
}

interface ShownToast extends ToastMessage {
  id: number;
}

const listeners = new Set<() => void>();
let current: ShownToast | null = null;
let lastId = 0;

function show(next: ShownToast | null): void {
  current = next;
  for (const listener of listeners) listener();
}

/** Shows a toast; one at a time, so it takes the place of the one on screen (specification §9). */
export function toast(message: ToastMessage): void {
  lastId += 1;
  show({ ...message, id: lastId });
}

/** Takes the toast away. */
export function dismissToast(): void {
  show(null);
}

/** The toast to show, for `Toaster`. */
export function useCurrentToast(): ShownToast | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
