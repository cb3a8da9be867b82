import type { Lead } from "@portal/contract/entities/lead";
import { listInbox } from "@portal/contract/routes/inbox";
import { createLead, findKnownLeads } from "@portal/contract/routes/leads";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type CallInput, callRoute } from "../../lib/api.ts";
import { refreshLeads } from "../../lib/lead-updates.ts";
import { invalidatePaths, routeQuery } from "../../lib/query-client.ts";

/** The typed number and email, possibly incomplete. */
export interface TypedAddress {
  phone: string;
  email: string;
}

/** Whether the number has enough digits, or the email is complete enough, to search. */
const isWorthAsking = ({ phone, email }: TypedAddress) =>
  phone.replace(/\D/g, "").length >= 7 || /@.+\../.test(email);

/** Leads with the typed number or email. */
export function useKnownLeads(typed: TypedAddress) {
  const isAsked = isWorthAsking(typed);
  const { data } = useQuery({
    ...routeQuery(findKnownLeads, { query: typed }),
    enabled: isAsked,
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  return isAsked ? (data ?? []) : [];
}

type NewLead = NonNullable<CallInput<typeof createLead>["body"]>;

/** Creates a lead; after a refusal the known leads are fetched again. */
export function useCreateLead() {
  const client = useQueryClient();
  return useMutation<Lead, Error, NewLead>({
    mutationFn: (body) => callRoute(createLead, { body }),
    onSuccess: () => {
      void refreshLeads(client);
      // What came from its number before is the lead's now.
      void invalidatePaths(client, [listInbox.path]);
    },
    onError: () => void invalidatePaths(client, [findKnownLeads.path]),
  });
}
