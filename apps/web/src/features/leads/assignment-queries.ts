import type { Lead } from "@portal/contract/entities/lead";
import { assignLead, transferLead } from "@portal/contract/routes/assignment";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callRoute } from "../../lib/api.ts";
import { textOf } from "../../lib/i18n.ts";
import { recordedWithReason } from "../../lib/recorded-text.ts";
import { toast } from "../../ui/toast.ts";
import { assignmentTexts } from "./assignment-texts.ts";
import type { HandOver } from "./components/hand-over-dialog.tsx";
import { patchLead } from "./lead-cache.ts";
import { refreshLeads } from "./queries.ts";

/** Assigns a lead of nobody, transfers one of somebody. Its card leaves and comes as the lists say. */
export function useAssignLead(lead: Lead) {
  const client = useQueryClient();
  const isTransfer = lead.assignedTo !== null;
  return useMutation({
    mutationFn: ({ salesRepId, ...rest }: HandOver) =>
      isTransfer
        ? callRoute(transferLead, { params: { id: lead.id }, body: { newSalesRepId: salesRepId, ...rest } })
        : callRoute(assignLead, { params: { id: lead.id }, body: { salesRepId, ...rest } }),
    onSuccess: ({ lead: saved }) => {
      patchLead(client, saved.id, saved);
      const t = textOf(assignmentTexts);
      toast({
        title: t(isTransfer ? "transferredTitle" : "assignedTitle"),
        description: t("doneText", { name: saved.name, rep: saved.salesRepName ?? "" }),
        tone: "success",
      });
    },
    onError: (error) => {
      const t = textOf(assignmentTexts);
      const description = recordedWithReason(error, t("failedText"));
      toast({ title: t("failedTitle"), description, tone: "destructive" });
    },
    // Also after a failure: somebody else may have given the lead away meanwhile.
    onSettled: () => refreshLeads(client),
  });
}
