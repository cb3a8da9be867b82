import {
  createSmsTemplate,
  deleteSmsTemplate,
  listFilledTemplates,
  listSmsTemplates,
  updateSmsTemplate,
} from "@portal/contract/routes/sms-templates";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type CallInput, callRoute } from "../../../lib/api.ts";
import { errorText } from "../../../lib/errors.ts";
import { messagesOf } from "../../../lib/i18n.ts";
import { invalidatePaths, routeQuery } from "../../../lib/query-client.ts";
import { toast } from "../../../ui/toast.ts";
import { templateDialogMessages } from "./messages.ts";

export const templatesQuery = () => routeQuery(listSmsTemplates);

/** The templates filled for a lead; fetched on every mount, as the lead's data changes. */
export function filledTemplatesQuery(leadId: number) {
  return { ...routeQuery(listFilledTemplates, { params: { id: leadId } }), staleTime: 0 };
}

type TemplateChange =
  | { kind: "create"; body: NonNullable<CallInput<typeof createSmsTemplate>["body"]> }
  | { kind: "update"; id: number; body: NonNullable<CallInput<typeof updateSmsTemplate>["body"]> }
  | { kind: "delete"; id: number };

/** Saves or deletes a template. */
export function useChangeTemplate() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (change: TemplateChange): Promise<unknown> => {
      if (change.kind === "create") return callRoute(createSmsTemplate, { body: change.body });
      const params = { id: change.id };
      if (change.kind === "delete") return callRoute(deleteSmsTemplate, { params });
      return callRoute(updateSmsTemplate, { params, body: change.body });
    },
    onError: (error) => {
      const t = messagesOf(templateDialogMessages);
      toast({
        title: t("failedTitle"),
        description: errorText(error, t("failedText")),
        error,
        tone: "destructive",
      });
    },
    onSettled: () => invalidatePaths(client, [listSmsTemplates.path]),
  });
}
