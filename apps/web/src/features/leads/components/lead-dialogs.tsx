import type { Lead } from "@portal/contract/entities/lead";
import { lazy } from "react";
import { openDialog } from "../../../ui/dialog-outlet.tsx";

const loadEditName = () => import("./edit-name-dialog.tsx");
const loadUpdateStatus = () => import("./update-status-dialog.tsx");
const EditNameDialog = lazy(loadEditName);
const UpdateStatusDialog = lazy(loadUpdateStatus);
const ConvertDialog = lazy(() => import("./convert-dialog.tsx"));

/** Fetches the dialogs of a card before they are asked for, so that they open with the press. */
export function preloadLeadDialogs(): void {
  // A failure shows when the dialog is opened.
  Promise.all([loadEditName(), loadUpdateStatus()]).catch(() => undefined);
}

/** What has the focus, and gets it back. */
function opener() {
  return { current: document.activeElement as HTMLElement | null };
}

export function openEditName(lead: Lead): void {
  const returnFocusTo = opener();
  openDialog((close) => <EditNameDialog lead={lead} onClose={close} returnFocusTo={returnFocusTo} />);
}

/** Update Lead Status, which goes on to converting the lead where that is asked for. */
export function openUpdateStatus(lead: Lead): void {
  const returnFocusTo = opener();
  openDialog((close) => (
    <UpdateStatusDialog
      lead={lead}
      onClose={close}
      returnFocusTo={returnFocusTo}
      onConvert={() => {
        close();
        openDialog((closeConvert) => (
          <ConvertDialog lead={lead} onClose={closeConvert} returnFocusTo={returnFocusTo} />
        ));
      }}
    />
  ));
}
