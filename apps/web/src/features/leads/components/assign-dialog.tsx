import type { Lead } from "@portal/contract/entities/lead";
import { type RefObject, useState } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { useAssignLead } from "../assignment-queries.ts";
import { assignmentTexts } from "../assignment-texts.ts";
import { HandOverDialog } from "./hand-over-dialog.tsx";

interface AssignDialogProps {
  lead: Lead;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** Assign Lead, or Transfer Lead where a consultant has it. */
export default function AssignDialog({ lead, onClose, returnFocusTo }: AssignDialogProps) {
  const t = useTexts(assignmentTexts);
  const save = useAssignLead(lead);
  const [isTransfer] = useState(lead.assignedTo !== null);
  return (
    <HandOverDialog
      title={isTransfer ? t("transferTitle") : t("assignTitle")}
      description={
        lead.salesRepName ? t("currentRep", { name: lead.name, rep: lead.salesRepName }) : lead.name
      }
      action={isTransfer ? t("transfer") : t("assign")}
      acting={isTransfer ? t("transferring") : t("assigning")}
      exceptRep={lead.assignedTo}
      asksTakeAlong={isTransfer || lead.nextFollowUpDate !== null}
      save={save}
      onClose={onClose}
      returnFocusTo={returnFocusTo}
    />
  );
}
