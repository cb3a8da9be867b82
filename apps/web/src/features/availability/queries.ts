import type { Availability, AvailabilityChanges } from "@portal/contract/entities/availability";
import { getAvailability, updateAvailability } from "@portal/contract/routes/availability";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callRoute } from "../../lib/api.ts";
import { errorText } from "../../lib/errors.ts";
import { messagesOf } from "../../lib/i18n.ts";
import { routeQuery } from "../../lib/query-client.ts";
import { toast } from "../../ui/toast.ts";
import { availabilityMessages } from "./messages.ts";

const soonestMs = 5_000;
const latestMs = 3_600_000;

/** Delay until a state with an end is fetched again, within limits as the clocks may differ. */
export function readAgainMs(until: string | null, now: number): number | false {
  if (until === null) return false;
  return Math.min(latestMs, Math.max(soonestMs, Date.parse(until) - now + 1));
}

/** The user's availability, fetched again when it ends. */
export function availabilityQuery() {
  return {
    ...routeQuery(getAvailability),
    refetchInterval: ({ state }: { state: { data?: Availability | undefined } }) =>
      readAgainMs(state.data?.until ?? null, Date.now()),
  };
}

/** Updates the user's availability; shows a toast on failure. */
export function useUpdateAvailability() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: AvailabilityChanges) => callRoute(updateAvailability, { body }),
    onSuccess: (now) => client.setQueryData([getAvailability.path], now),
    onError: (error) =>
      toast({
        title: messagesOf(availabilityMessages)("failed"),
        description: errorText(error),
        error,
        tone: "destructive",
      }),
  });
}
