import { endCall, getLiveCall } from "@portal/contract/routes/calls";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callRoute } from "../../../lib/api.ts";
import { recordedText } from "../../../lib/errors.ts";
import { messagesOf } from "../../../lib/i18n.ts";
import { invalidatePaths } from "../../../lib/query-client.ts";
import { toast } from "../../../ui/toast.ts";
import { callMessages } from "./messages.ts";

/** Ends the call at the provider, and asks the rep to hang up as recorded, on the line that was rung. */
export function useEndCall() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: number; officeLine: string | null }) => callRoute(endCall, { params: { id } }),
    onMutate: ({ officeLine }) => {
      const t = messagesOf(callMessages);
      toast({ title: t("statusTitle"), description: t(officeLine ? "statusOffice" : "statusText") });
    },
    onError: sayNotEnded,
    onSettled: (_call, _error, { id }) => invalidatePaths(client, [`/api/calls/${id}`, getLiveCall.path]),
  });
}

/** Says that a call was not ended. */
export function sayNotEnded(error: unknown): void {
  const t = messagesOf(callMessages);
  const description = recordedText(error, t("endFailedText"));
  toast({ title: t("statusTitle"), description, tone: "destructive" });
}
