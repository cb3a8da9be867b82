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

const open = new Set<number>();

/** Registers a lead's thread as open while the component is mounted. */
export function useOpenThread(leadId: number): void {
  useEffect(() => {
    open.add(leadId);
    return () => {
      open.delete(leadId);
    };
  }, [leadId]);
}

/** Whether a lead's thread is open. */
export function isThreadOpen(leadId: number): boolean {
  return open.has(leadId);
}
