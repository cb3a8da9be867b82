const keyOf = (leadId: number) => `lead-desk.text-draft.${leadId}`;

/** What was typed to a lead and not sent, in this tab: it outlives the dialog and a reload. */
export function readDraft(leadId: number): string {
  try {
    return sessionStorage.getItem(keyOf(leadId)) ?? "";
  } catch {
    return "";
  }
}

export function keepDraft(leadId: number, text: string): void {
  try {
    if (text.trim() === "") sessionStorage.removeItem(keyOf(leadId));
    else sessionStorage.setItem(keyOf(leadId), text);
  } catch {
    // Blocked or full storage: the text lasts as long as the dialog.
  }
}
