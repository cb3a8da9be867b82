import { useEffect } from "react";
import { readTab, writeTab } from "../../lib/storage-keys.ts";

const draftKey = (leadId: number) => `lead-desk.text-draft.${leadId}`;
const openKey = (leadId: number) => `lead-desk.text-open.${leadId}`;

/** The unsent text for a lead in this tab, which survives a closed dialog and a reload. */
export function readDraft(leadId: number): string {
  return readTab(draftKey(leadId)) ?? "";
}

export function saveDraft(leadId: number, text: string): void {
  writeTab(draftKey(leadId), text.trim() === "" ? null : text);
}

/** An SMS request without a response. */
export interface OpenRequest {
  message: string;
  clientRef: string;
}

/** This tab's request whose result is unknown, or null. */
export function readOpenRequest(leadId: number): OpenRequest | null {
  const [clientRef, ...message] = (readTab(openKey(leadId)) ?? "").split(" ");
  return clientRef ? { clientRef, message: message.join(" ") } : null;
}

export function saveOpenRequest(leadId: number, request: OpenRequest | null): void {
  writeTab(openKey(leadId), request && `${request.clientRef} ${request.message}`);
}

const shown = new Set<number>();

/** Registers a lead's thread as shown while its end is in view. */
export function useShownThread(leadId: number, isShown: boolean): void {
  useEffect(() => {
    if (!isShown) return;
    shown.add(leadId);
    return () => {
      shown.delete(leadId);
    };
  }, [leadId, isShown]);
}

/** Whether the end of a lead's thread is in view, so that a new SMS is seen there. */
export function isThreadShown(leadId: number): boolean {
  return shown.has(leadId);
}
