import type { Lead } from "@portal/contract/entities/lead";
import { lazy, Suspense, useEffect, useSyncExternalStore } from "react";

const loadDialog = () => import("./components/sms-dialog.tsx");
const SmsDialog = lazy(loadDialog);

interface OpenThread {
  lead: Lead;
  opener: HTMLElement | null;
}

const listeners = new Set<() => void>();
let current: OpenThread | null = null;

function show(next: OpenThread | null): void {
  current = next;
  for (const listener of listeners) listener();
}

/** Opens the texts with a lead, on whichever page an `SmsDesk` stands. */
export function openThread(lead: Lead): void {
  show({ lead, opener: document.activeElement as HTMLElement | null });
}

/** Fetches the dialog before it is asked for. */
export function preloadSmsDialog(): void {
  // A failure shows when the dialog is opened.
  loadDialog().catch(() => undefined);
}

/** Where the thread opens: apart from the card, which may leave the screen while one writes. */
export function SmsDesk() {
  const open = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
  useEffect(() => () => show(null), []);
  if (!open) return null;
  return (
    <Suspense fallback={null}>
      <SmsDialog
        key={open.lead.id}
        lead={open.lead}
        returnFocusTo={{ current: open.opener }}
        onClose={() => show(null)}
      />
    </Suspense>
  );
}
