import { getLead } from "@portal/contract/routes/leads";
import { listTexts } from "@portal/contract/routes/sms";
import { useMutation } from "@tanstack/react-query";
import { callRoute } from "../../lib/api.ts";
import { textOf } from "../../lib/i18n.ts";
import { routePages } from "../../lib/query-client.ts";
import { recordedText } from "../../lib/recorded-text.ts";
import { toast } from "../../ui/toast.ts";
import { openThread, preloadSmsDialog } from "../sms/sms-desk.tsx";
import { textListTexts } from "./texts.ts";
import type { TextsSearch } from "./texts-search.ts";

/** The texts of the filters, page by page; equal filters give equal queries. */
export function textPages(filters: TextsSearch) {
  const query = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
  return { ...routePages(listTexts, { query }), staleTime: 0 };
}

/** Opens the conversation with a lead, as it is now. */
export function useOpenThread() {
  return useMutation({
    mutationFn: (leadId: number) => {
      preloadSmsDialog();
      return callRoute(getLead, { params: { id: leadId } });
    },
    onSuccess: openThread,
    onError: (error) => {
      const t = textOf(textListTexts);
      toast({
        title: t("openFailedTitle"),
        description: recordedText(error, t("openFailed")),
        tone: "destructive",
      });
    },
  });
}
