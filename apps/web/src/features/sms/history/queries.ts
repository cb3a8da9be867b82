import { anyRep, type RepFilter } from "@portal/contract/entities/fields";
import { messageDirections } from "@portal/contract/entities/message";
import { getLead } from "@portal/contract/routes/leads";
import { listSmsHistory } from "@portal/contract/routes/sms";
import { useMutation } from "@tanstack/react-query";
import { callRoute } from "../../../lib/api.ts";
import { recordedText } from "../../../lib/errors.ts";
import { messagesOf } from "../../../lib/i18n.ts";
import { isDay } from "../../../lib/list-address.ts";
import { routePages } from "../../../lib/query-client.ts";
import { toast } from "../../../ui/toast.ts";
import { openThread, preloadSmsDialog } from "../sms-dock.tsx";
import { smsListMessages } from "./messages.ts";

/** The SMS of the filters, in pages; equal filters give equal queries. */
export function smsPages(filters: SmsHistorySearch) {
  const query = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
  return { ...routePages(listSmsHistory, { query }), staleTime: 0 };
}

/** Opens the thread of a lead with the lead's current data. */
export function useOpenThread() {
  return useMutation({
    mutationFn: (leadId: number) => {
      preloadSmsDialog();
      return callRoute(getLead, { params: { id: leadId } });
    },
    onSuccess: openThread,
    onError: (error) => {
      const t = messagesOf(smsListMessages);
      toast({
        title: t("openFailedTitle"),
        description: recordedText(error, t("openFailed")),
        error,
        tone: "destructive",
      });
    },
  });
}

const ranges = ["week", "month"] as const;
const largestId = 2_147_483_647;

/** Filters of the list in the address, as set by links of reports; absent ones mean all. */
export interface SmsHistorySearch {
  readonly range?: (typeof ranges)[number] | undefined;
  /** A day in the organization's zone, or the first and the last of several. */
  readonly day?: string | undefined;
  readonly until?: string | undefined;
  /** Who sent them. */
  readonly rep?: RepFilter | undefined;
  readonly direction?: (typeof messageDirections)[number] | undefined;
}

/** Parses the address; unknown values are dropped. */
export function parseSmsHistorySearch(search: Record<string, unknown>): SmsHistorySearch {
  const rep = Number(search.rep);
  const day = isDay(search.day) ? search.day : undefined;
  return {
    range: ranges.find((range) => range === search.range),
    day,
    until: day && isDay(search.until) && search.until > day ? search.until : undefined,
    rep:
      search.rep === anyRep ? anyRep : Number.isInteger(rep) && rep > 0 && rep <= largestId ? rep : undefined,
    direction: messageDirections.find((direction) => direction === search.direction),
  };
}
