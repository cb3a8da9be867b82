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

/** The steps, the last test call, the leads' countries: read anew on every visit. */
export const goLiveQuery = () => ({ ...routeQuery(getGoLive), staleTime: 0 });

/** Marks a step as done, or takes the mark back. */
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

/** Rings one's own phone. */
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
