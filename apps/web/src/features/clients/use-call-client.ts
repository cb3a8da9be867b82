import type { Lead } from "@portal/contract/entities/lead";
import type { CurrentUser } from "@portal/contract/entities/user";
import type { ConvertedClient } from "@portal/contract/routes/clients";
import { getLead } from "@portal/contract/routes/leads";
import { useMutation, useQuery } from "@tanstack/react-query";
import { callRoute } from "../../lib/api.ts";
import { recordedText } from "../../lib/errors.ts";
import { messagesOf } from "../../lib/i18n.ts";
import { currentUserQuery } from "../../lib/query-client.ts";
import { toast } from "../../ui/toast.ts";
import { useRepCall } from "../telephony/call/call-provider.tsx";
import { callMessages } from "../telephony/call/messages.ts";

/**
 * Calls a client. The lead is read first: where it may not be called now, or by this consultant, `onRefused` shows it instead, with the
 * reason beside its button.
 */
export function useCallClient(onRefused: (client: ConvertedClient) => void) {
  const repCall = useRepCall();
  const { data: user } = useQuery(currentUserQuery());
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ leadId }: ConvertedClient) => callRoute(getLead, { params: { id: leadId } }),
    onSuccess: (lead, client) => {
      if (repCall.hiddenCall?.leadId === lead.id) repCall.resume(repCall.hiddenCall);
      else if (repCall.hiddenCall === null && mayCall(lead, user ?? null)) repCall.start(lead);
      else onRefused(client);
    },
    onError: (error) => {
      const t = messagesOf(callMessages);
      toast({
        title: t("failedTitle"),
        description: recordedText(error, t("failedText")),
        error,
        tone: "destructive",
      });
    },
  });
  return {
    call: (client: ConvertedClient) => isPending || mutate(client),
    /** The client whose lead is being read. */
    callingId: isPending ? variables.id : null,
  };
}

/** A lead without a phone is let through: the call says so as recorded. Whether one is on a call, `useRepCall` knows best. */
function mayCall(lead: Lead, user: CurrentUser | null): boolean {
  const { assignedTo, callRefusal, status } = lead;
  if (user === null || (user.role !== "admin" && assignedTo !== user.id)) return false;
  if (status === "not_interested") return false;
  return callRefusal === null || callRefusal === "no_phone" || callRefusal === "rep_on_call";
}
