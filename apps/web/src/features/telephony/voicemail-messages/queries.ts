import type { Call } from "@portal/contract/entities/call";
import type { RouteResponse } from "@portal/contract/route";
import { getLiveCall, leaveMessage } from "@portal/contract/routes/calls";
import {
  deleteVoicemailMessage,
  listVoicemailMessages,
  recordVoicemailMessage,
  updateVoicemailMessage,
  uploadVoicemailMessage,
} from "@portal/contract/routes/voicemail-messages";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type CallInput, callRoute } from "../../../lib/api.ts";
import { errorText } from "../../../lib/errors.ts";
import { messagesOf } from "../../../lib/i18n.ts";
import { invalidatePaths, routeQuery } from "../../../lib/query-client.ts";
import { toast } from "../../../ui/toast.ts";
import { contactFailureText } from "../call/messages.ts";
import { leaveMessages, voicemailMessageMessages } from "./messages.ts";

/** Polling interval of a recording in progress in case events are missed, in ms. */
const recordingPollMs = 5_000;

type Messages = RouteResponse<typeof listVoicemailMessages>;

export function voicemailMessagesQuery() {
  return {
    ...routeQuery(listVoicemailMessages),
    refetchInterval: ({ state: { data } }: { state: { data?: Messages | undefined } }) =>
      data?.recording?.state === "calling" || data?.recording?.state === "recording"
        ? recordingPollMs
        : (false as const),
  };
}

/** Leaves the recorded message at the voicemail that answered; shows a toast if that fails. */
export function useLeaveMessage() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Pick<Call, "id">) => callRoute(leaveMessage, { params: { id } }),
    onError: (error) => {
      const t = messagesOf(leaveMessages);
      const description = contactFailureText(error, "call", errorText(error, t("failedText")));
      toast({ title: t("failedTitle"), description, error, tone: "destructive" });
    },
    onSettled: (_call, _error, { id }) =>
      invalidatePaths(client, [`/api/calls/${id}`, getLiveCall.path, "/api/dialer"]),
  });
}

type Named = NonNullable<CallInput<typeof uploadVoicemailMessage>["query"]>;

type MessageChange =
  | { kind: "upload"; named: Named; file: Blob }
  | { kind: "record"; named: Named }
  | { kind: "update"; id: number; body: NonNullable<CallInput<typeof updateVoicemailMessage>["body"]> }
  | { kind: "delete"; id: number };

/** Saves, records, changes or deletes one of the user's messages. */
export function useChangeMessage() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (change: MessageChange): Promise<unknown> => {
      if (change.kind === "upload") {
        // The server detects the format from the content; a file without a type needs a generic one.
        const body = change.file.slice(0, change.file.size, change.file.type || "application/octet-stream");
        return callRoute(uploadVoicemailMessage, { query: change.named, body });
      }
      if (change.kind === "record") return callRoute(recordVoicemailMessage, { body: change.named });
      const params = { id: change.id };
      if (change.kind === "delete") return callRoute(deleteVoicemailMessage, { params });
      return callRoute(updateVoicemailMessage, { params, body: change.body });
    },
    onError: (error) => {
      const t = messagesOf(voicemailMessageMessages);
      toast({
        title: t("failedTitle"),
        description: errorText(error, t("failedText")),
        error,
        tone: "destructive",
      });
    },
    onSettled: () => invalidatePaths(client, [listVoicemailMessages.path]),
  });
}
