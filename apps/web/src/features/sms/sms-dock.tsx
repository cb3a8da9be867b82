import type { Lead } from "@portal/contract/entities/lead";
import { Suspense, useEffect } from "react";
import { preloadCode } from "../../lib/connection.ts";
import { lateComponent } from "../../lib/late-module.ts";
import { createPersonalStore, useStore } from "../../lib/store.ts";

const loadDialog = () => import("./components/sms-dialog.tsx");
const SmsDialog = lateComponent(loadDialog);

interface OpenThread {
  lead: Lead;
  opener: HTMLElement | null;
}

const openedThread = createPersonalStore<OpenThread | null>(null);

/** Opens the SMS with a lead, on any page with an `SmsDock`. */
export function openThread(lead: Lead): void {
  openedThread.set({ lead, opener: document.activeElement as HTMLElement | null });
}

/** Preloads the dialog. */
export function preloadSmsDialog(): void {
  preloadCode(loadDialog);
}

/** Renders the open thread, separately from the card, which may be unmounted meanwhile. */
export function SmsDock() {
  const open = useStore(openedThread);
  useEffect(() => () => openedThread.set(null), []);
  if (!open) return null;
  return (
    <Suspense fallback={null}>
      <SmsDialog
        key={open.lead.id}
        lead={open.lead}
        returnFocusTo={{ current: open.opener }}
        onClose={() => openedThread.set(null)}
      />
    </Suspense>
  );
}
