import type { Lead } from "@portal/contract/entities/lead";
import { lazy, type RefObject, Suspense } from "react";

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

/** Which dialog stands open, about which lead. */
export interface OpenLeadDialog {
  readonly kind: "name" | "status" | "convert";
  readonly lead: Lead;
}

interface LeadDialogsProps {
  open: OpenLeadDialog | null;
  onOpen: (open: OpenLeadDialog | null) => void;
  /** The button that opened it. */
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** The dialogs of a lead card, each loaded when it is first opened. */
export function LeadDialogs({ open, onOpen, returnFocusTo }: LeadDialogsProps) {
  if (!open) return null;
  const { kind, lead } = open;
  const common = { lead, returnFocusTo, onClose: () => onOpen(null) };
  return (
    <Suspense fallback={null}>
      {kind === "name" ? <EditNameDialog {...common} /> : null}
      {kind === "status" ? (
        <UpdateStatusDialog {...common} onConvert={() => onOpen({ kind: "convert", lead })} />
      ) : null}
      {kind === "convert" ? <ConvertDialog {...common} /> : null}
    </Suspense>
  );
}
