import type { Lead } from "@portal/contract/entities/lead";
import { createLead, findKnownLeads } from "@portal/contract/routes/leads";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type CallInput, callRoute } from "../../lib/api.ts";
import { refreshLeads } from "../../lib/lead-updates.ts";
import { invalidatePaths, routeQuery } from "../../lib/query-client.ts";

/** What one asks by: a number or an address, as far as it is typed. */
export interface TypedAddress {
  phone: string;
  email: string;
}

/** Fewer digits than a number has anywhere; an address without what makes it one. */
const isWorthAsking = ({ phone, email }: TypedAddress) =>
  phone.replace(/\D/g, "").length >= 7 || /@.+\../.test(email);

/** Leads that have what is typed. */
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

/** Adds the lead; where it is refused, who is there already is read again. */
export function useCreateLead() {
  const client = useQueryClient();
  return useMutation<Lead, Error, NewLead>({
    mutationFn: (body) => callRoute(createLead, { body }),
    onSuccess: () => void refreshLeads(client),
    onError: () => void invalidatePaths(client, [findKnownLeads.path]),
  });
}
