import {
  type GoLiveStep,
  getGoLive,
  markGoLiveStep,
  startTestCall,
  unmarkGoLiveStep,
} from "@portal/contract/routes/go-live";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callRoute } from "../../lib/api.ts";
import { errorText } from "../../lib/errors.ts";
import { messagesOf } from "../../lib/i18n.ts";
import { invalidatePaths, routeQuery } from "../../lib/query-client.ts";
import { toast } from "../../ui/toast.ts";
import { goLiveMessages, testCallMessages } from "./messages.ts";

/** Steps, last test call and leads' countries; fetched on every visit. */
export const goLiveQuery = () => ({ ...routeQuery(getGoLive), staleTime: 0 });

/** Confirms a step, or undoes that. */
export function useSetStep() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ step, isDone }: { step: GoLiveStep; isDone: boolean }) =>
      callRoute(isDone ? markGoLiveStep : unmarkGoLiveStep, { params: { step } }),
    onError: (error) =>
      toast({
        title: messagesOf(goLiveMessages)("saveFailed"),
        description: errorText(error),
        error,
        tone: "destructive",
      }),
    onSettled: () => invalidatePaths(client, [getGoLive.path]),
  });
}

/** Starts a test call to the user's own phone. */
export function useStartTestCall() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callRoute(startTestCall),
    onError: (error) =>
      toast({
        title: messagesOf(testCallMessages)("startFailed"),
        description: errorText(error),
        error,
        tone: "destructive",
      }),
    onSettled: () => invalidatePaths(client, [getGoLive.path]),
  });
}
