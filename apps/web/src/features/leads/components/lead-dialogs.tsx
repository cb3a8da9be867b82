import type { Lead } from "@portal/contract/entities/lead";
import { lazy, Suspense } from "react";

const EditNameDialog = lazy(() => import("./edit-name-dialog.tsx"));
const UpdateStatusDialog = lazy(() => import("./update-status-dialog.tsx"));
const ConvertDialog = lazy(() => import("./convert-dialog.tsx"));

/** Which dialog stands open, about which lead. */
export interface OpenLeadDialog {
  readonly kind: "name" | "status" | "convert";
  readonly lead: Lead;
}

interface LeadDialogsProps {
  open: OpenLeadDialog | null;
  onOpen: (open: OpenLeadDialog | null) => void;
}

/** The dialogs of a lead card, each loaded when it is first opened. */
export function LeadDialogs({ open, onOpen }: LeadDialogsProps) {
  if (!open) return null;
  const { kind, lead } = open;
  const onClose = () => onOpen(null);
  return (
    <Suspense fallback={null}>
      {kind === "name" ? <EditNameDialog lead={lead} onClose={onClose} /> : null}
      {kind === "status" ? (
        <UpdateStatusDialog
          lead={lead}
          onClose={onClose}
          onConvert={() => onOpen({ kind: "convert", lead })}
        />
      ) : null}
      {kind === "convert" ? <ConvertDialog lead={lead} onClose={onClose} /> : null}
    </Suspense>
  );
}
