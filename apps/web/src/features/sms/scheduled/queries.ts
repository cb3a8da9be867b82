import { limits } from "@portal/contract/limits";
import {
  cancelScheduledSms,
  listLeadScheduledSms,
  listScheduledSms,
  releaseScheduledSms,
  scheduleSms,
} from "@portal/contract/routes/scheduled-sms";
import { listMessages } from "@portal/contract/routes/sms";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { callRoute, routePath } from "../../../lib/api.ts";
import { errorText } from "../../../lib/errors.ts";
import { formatInZone, formatZoneCity } from "../../../lib/format-zone.ts";
import { messagesOf } from "../../../lib/i18n.ts";
import { invalidatePaths, routeQuery } from "../../../lib/query-client.ts";
import { toast } from "../../../ui/toast.ts";
import { contactFailureText } from "../../telephony/call/messages.ts";
import { scheduledMessages } from "../messages.ts";

/** Scheduled SMS of a lead, fetched like the thread above. */
export function leadScheduledQuery(leadId: number) {
  return {
    ...routeQuery(listLeadScheduledSms, { params: { id: leadId } }),
    staleTime: 0,
    refetchInterval: limits.smsPollMs,
  };
}

export const scheduledQuery = () => routeQuery(listScheduledSms);

const pathsOf = (leadId: number) => [
  routePath(listLeadScheduledSms, { id: leadId }),
  routePath(listMessages, { id: leadId }),
  listScheduledSms.path,
];

function failed(error: unknown): void {
  const t = messagesOf(scheduledMessages);
  toast({
    title: t("failedTitle"),
    description: contactFailureText(error, "text", errorText(error, t("failedText"))),
    error,
    tone: "destructive",
  });
}

interface Wish {
  message: string;
  day: string;
  time: string;
  templateVersionId?: number | undefined;
}

/** Schedules an SMS once: a retry after a lost response has the same reference. */
export function useScheduleSms(leadId: number) {
  const client = useQueryClient();
  const last = useRef<{ wish: string; clientRef: string } | null>(null);
  return useMutation({
    mutationFn: (wish: Wish) => {
      const key = JSON.stringify(wish);
      if (last.current?.wish !== key) last.current = { wish: key, clientRef: crypto.randomUUID() };
      const { clientRef } = last.current;
      return callRoute(scheduleSms, { params: { id: leadId }, body: { ...wish, clientRef } });
    },
    onSuccess: ({ sendAt, timeZone }) => {
      last.current = null;
      const t = messagesOf(scheduledMessages);
      const when = formatInZone(sendAt, timeZone);
      toast({
        title: t("scheduledTitle"),
        description: t("scheduledText", { when, city: formatZoneCity(timeZone) }),
        tone: "success",
      });
    },
    onError: failed,
    onSettled: () => invalidatePaths(client, pathsOf(leadId)),
  });
}

/** Cancels a scheduled SMS, or sends it at once. */
export function useChangeScheduled(leadId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, act }: { id: number; act: "cancel" | "send" }) =>
      callRoute(act === "cancel" ? cancelScheduledSms : releaseScheduledSms, { params: { id } }),
    onSuccess: (_text, { act }) => {
      if (act === "send") return;
      const t = messagesOf(scheduledMessages);
      toast({ title: t("canceledTitle"), description: t("canceledText"), tone: "success" });
    },
    onError: failed,
    onSettled: () => invalidatePaths(client, pathsOf(leadId)),
  });
}
