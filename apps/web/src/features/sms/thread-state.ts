import { useEffect } from "react";
import { readTab, writeTab } from "../../lib/storage-keys.ts";

const draftKey = (leadId: number) => `lead-desk.text-draft.${leadId}`;
const openKey = (leadId: number) => `lead-desk.text-open.${leadId}`;

/** What was typed to a lead and not sent, in this tab: it outlives the dialog and a reload. */
export function readDraft(leadId: number): string {
  return readTab(draftKey(leadId)) ?? "";
}

export function saveDraft(leadId: number, text: string): void {
  writeTab(draftKey(leadId), text.trim() === "" ? null : text);
}

/** A text that the server was asked to send and has not answered for. */
export interface OpenRequest {
  message: string;
  clientRef: string;
}

/** The request of this tab that may have been carried out without our knowing, if there is one. */
export function readOpenRequest(leadId: number): OpenRequest | null {
  const [clientRef, ...message] = (readTab(openKey(leadId)) ?? "").split(" ");
  return clientRef ? { clientRef, message: message.join(" ") } : null;
}

export function saveOpenRequest(leadId: number, request: OpenRequest | null): void {
  writeTab(openKey(leadId), request && `${request.clientRef} ${request.message}`);
}

const open = new Set<number>();

/** Says that a lead's thread is on screen, while the component is. */
export function useOpenThread(leadId: number): void {
  useEffect(() => {
    open.add(leadId);
    return () => {
      open.delete(leadId);
    };
  }, [leadId]);
}

/** Whether what comes from a lead is seen in its thread. */
export function isThreadOpen(leadId: number): boolean {
  return open.has(leadId);
}
