import type { Lead } from "@portal/contract/entities/lead";
import type { ContactRefusal } from "@portal/contract/errors";
import { useQuery } from "@tanstack/react-query";
import { usePassed } from "../../lib/clock.tsx";
import { currentUserQuery } from "../../lib/query-client.ts";
import { isWriter } from "../../lib/session.ts";
import { useRefusalMessage } from "../telephony/call/messages.ts";

/** Why this lead may not be texted now, and when again; null if they may. */
export function useSmsRefusal(
  lead: Pick<Lead, "textRefusal" | "textAllowedAt">,
): { refusal: ContactRefusal; message: string } | null {
  const messageOf = useRefusalMessage("text");
  const { textRefusal, textAllowedAt } = lead;
  const passed = usePassed(textAllowedAt);
  return textRefusal && !passed
    ? { refusal: textRefusal, message: messageOf(textRefusal, textAllowedAt) }
    : null;
}

/** Whether the lead is not the user's: assigned to a colleague, possibly while its thread is open, or to nobody. Never for administrators. */
export function useIsOthersLead(lead: Pick<Lead, "assignedTo"> | undefined): boolean {
  const { data: user } = useQuery(currentUserQuery());
  return Boolean(lead && user) && !isWriter(user, lead);
}
