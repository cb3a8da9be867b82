import type { Lead } from "@portal/contract/entities/lead";
import type { ContactRefusal } from "@portal/contract/errors";
import { usePassed } from "../../lib/use-clock.ts";
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
