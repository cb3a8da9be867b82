import { lateComponent } from "../../lib/late-module.ts";
import { openDialog } from "../../ui/dialog-outlet.tsx";
import type { NewLeadOptions } from "./new-lead-dialog.tsx";

const NewLeadDialog = lateComponent(() => import("./new-lead-dialog.tsx"));

/** Opens New Lead over the current page; its code is loaded on demand. */
export function openNewLead(options: NewLeadOptions = {}): void {
  const returnFocusTo = { current: document.activeElement as HTMLElement | null };
  openDialog((close) => <NewLeadDialog {...options} onClose={close} returnFocusTo={returnFocusTo} />);
}
