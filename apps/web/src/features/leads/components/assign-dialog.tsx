import type { Lead } from "@portal/contract/entities/lead";
import { assignLead, transferLead } from "@portal/contract/routes/assignment";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useState } from "react";
import { callRoute } from "../../../lib/api.ts";
import { recordedWithReason } from "../../../lib/errors.ts";
import { messagesOf, useMessages } from "../../../lib/i18n.ts";
import { refreshLeads, showSavedLead } from "../../../lib/lead-updates.ts";
import { toast } from "../../../ui/toast.ts";
import { assignmentMessages } from "../assignment-messages.ts";
import { type HandOver, HandOverDialog } from "./hand-over-dialog.tsx";

interface AssignDialogProps {
  lead: Lead;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** Assign Lead, or Transfer Lead if it is assigned. */
export default function AssignDialog({ lead, onClose, returnFocusTo }: AssignDialogProps) {
  const t = useMessages(assignmentMessages);
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

/** Assigns an unassigned lead, or transfers one. The lists update through the fetched data. */
function useAssignLead(lead: Lead) {
  const client = useQueryClient();
  const isTransfer = lead.assignedTo !== null;
  return useMutation({
    mutationFn: ({ salesRepId, ...rest }: HandOver) =>
      isTransfer
        ? callRoute(transferLead, { params: { id: lead.id }, body: { newSalesRepId: salesRepId, ...rest } })
        : callRoute(assignLead, { params: { id: lead.id }, body: { salesRepId, ...rest } }),
    onSuccess: ({ lead: saved }) => {
      void showSavedLead(client, saved);
      const t = messagesOf(assignmentMessages);
      toast({
        title: t(isTransfer ? "transferredTitle" : "assignedTitle"),
        description: t("doneText", { name: saved.name, rep: saved.salesRepName ?? "" }),
        tone: "success",
      });
    },
    onError: (error) => {
      // Somebody else may have reassigned the lead meanwhile.
      void refreshLeads(client);
      const t = messagesOf(assignmentMessages);
      const description = recordedWithReason(error, t("failedText"));
      toast({ title: t("failedTitle"), description, error, tone: "destructive" });
    },
  });
}
