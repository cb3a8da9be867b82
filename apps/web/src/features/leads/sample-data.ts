import { createSampleData } from "@portal/contract/routes/leads";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callRoute } from "../../lib/api.ts";
import { textOf } from "../../lib/i18n.ts";
import { toast } from "../../ui/toast.ts";
import { refreshLeads } from "./queries.ts";
import { leadsTexts } from "./texts.ts";

/** Creates test leads (demo only). */
export function useCreateSampleData() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callRoute(createSampleData),
    onSuccess: ({ created }) => {
      const t = textOf(leadsTexts);
      toast({
        title: t("sampleCreatedTitle"),
        description: t("sampleCreated", { count: created }),
        tone: "success",
      });
      return refreshLeads(client);
    },
    onError: () => {
      const t = textOf(leadsTexts);
      toast({ title: t("errorTitle"), description: t("sampleFailed"), tone: "destructive" });
    },
  });
}
