import type { Lead } from "@portal/contract/entities/lead";
import type { ContactRefusal } from "@portal/contract/errors";
import { CircleCheck, Phone, PhoneCall } from "lucide-react";
import { useId } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { usePassed } from "../../../lib/use-clock.ts";
import { Button } from "../../../ui/button.tsx";
import { Tooltip } from "../../../ui/tooltip.tsx";
import { useRepCall } from "../../telephony/call/call-provider.tsx";
import { ContactRefusalLine } from "../../telephony/call/contact-refusal.tsx";
import { callMessages } from "../../telephony/call/messages.ts";
import { useRefusalMessage } from "../../telephony/call/refusal-messages.ts";
import { leadCardMessages } from "../messages.ts";

/** The main action of a card: call the lead, return to the call with them, or say why not. */
export function CallNowButton({ lead }: { lead: Lead }) {
  const t = useMessages(leadCardMessages);
  const call = useMessages(callMessages);
  const repCall = useRepCall();
  const passed = usePassed(lead.callAllowedAt);
  if (lead.status === "not_interested") {
    return (
      <Button variant="secondary" className="flex-1" disabled>
        <CircleCheck aria-hidden />
        {t("callComplete")}
      </Button>
    );
  }
  if (repCall.hiddenCall?.leadId === lead.id) {
    const { hiddenCall } = repCall;
    return (
      <Button className="flex-1" onClick={() => repCall.resume(hiddenCall)}>
        <PhoneCall aria-hidden />
        {call("returnToCall")}
      </Button>
    );
  }
  const refusal = refusalNow(lead, { onCall: repCall.hiddenCall !== null, passed });
  if (refusal) return <RefusedButton lead={lead} refusal={refusal} />;
  return (
    <Button className="flex-1" onClick={() => repCall.start(lead)}>
      <Phone aria-hidden />
      {t("callNow")} <span className="sr-only">{lead.name}</span>
    </Button>
  );
}

/**
 * Why the button is off. A lead without a phone stays pressable: the press gives the recorded toast. Whether the rep is on a call
 * is known here from the live call, which is newer than the list; so is a refusal whose time has passed meanwhile.
 */
function refusalNow(
  lead: Lead,
  { onCall, passed }: { onCall: boolean; passed: boolean },
): Exclude<ContactRefusal, "no_phone"> | null {
  if (lead.callRefusal === "no_phone" || !lead.phone) return null;
  if (lead.callRefusal && lead.callRefusal !== "rep_on_call" && !passed) return lead.callRefusal;
  return onCall ? "rep_on_call" : null;
}

function RefusedButton({ lead, refusal }: { lead: Lead; refusal: Exclude<ContactRefusal, "no_phone"> }) {
  const t = useMessages(leadCardMessages);
  const repCall = useRepCall();
  const message = useRefusalMessage("call")(
    refusal,
    refusal === lead.callRefusal ? lead.callAllowedAt : null,
  );
  const id = useId();
  return (
    <>
      <Tooltip content={message}>
        <Button
          className="flex-1 aria-disabled:pointer-events-auto aria-disabled:cursor-not-allowed"
          aria-disabled
          aria-describedby={id}
        >
          <Phone aria-hidden />
          {t("callNow")} <span className="sr-only">{lead.name}</span>
        </Button>
      </Tooltip>
      <ContactRefusalLine
        id={id}
        lead={lead}
        channel="call"
        refusal={refusal}
        message={message}
        onOverride={(reason) => repCall.start(lead, reason)}
      />
    </>
  );
}
