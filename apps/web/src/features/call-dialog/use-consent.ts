import type { Lead } from "@portal/contract/entities/lead";
import { listLeads, recordConsent, withdrawConsent } from "@portal/contract/routes/leads";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callRoute } from "../../lib/api.ts";
import { errorText } from "../../lib/errors.ts";
import { textOf } from "../../lib/i18n.ts";
import { invalidatePaths } from "../../lib/query-client.ts";
import { toast } from "../../ui/toast.ts";
import { consentTexts } from "./consent-texts.ts";

/** Records how a lead agreed to be contacted, or takes the record back where no source is given. */
export function useConsent({ id, name }: Pick<Lead, "id" | "name">) {
  const client = useQueryClient();
  const params = { id };
  return useMutation({
    mutationFn: (source: string | null) =>
      source === null
        ? callRoute(withdrawConsent, { params })
        : callRoute(recordConsent, { params, body: { source } }),
    onSuccess: ({ consentAt }) => {
      const t = textOf(consentTexts);
      const what = consentAt ? "record" : "withdraw";
      toast({
        title: t(`${what}_done`),
        description: t(`${what}_doneText`, { name }),
        tone: "success",
      });
    },
    onError: (error) => {
      const t = textOf(consentTexts);
      toast({
        title: t("failedTitle"),
        description: errorText(error, t("failedText")),
        tone: "destructive",
      });
    },
    onSettled: () => invalidatePaths(client, [listLeads.path]),
  });
}
