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

/** When a state that ends by itself is read again; the two clocks may differ. */
export function readAgainMs(until: string | null, now: number): number | false {
  if (until === null) return false;
  return Math.min(latestMs, Math.max(soonestMs, Date.parse(until) - now + 1));
}

/** Whether one can be reached, read again when that ends by itself. */
export function availabilityQuery() {
  return {
    ...routeQuery(getAvailability),
    refetchInterval: ({ state }: { state: { data?: Availability | undefined } }) =>
      readAgainMs(state.data?.until ?? null, Date.now()),
  };
}

/** Changes what is sent of one's own, and says where it could not be. */
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
