import type { Lead } from "@portal/contract/entities/lead";
import type { ContactRefusal } from "@portal/contract/errors";
import { CircleCheck, Phone, PhoneCall, PhoneOff } from "lucide-react";
import { useId } from "react";
import { usePassed } from "../../../lib/clock.tsx";
import { cn } from "../../../lib/cn.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { withKey } from "../../../lib/keys.ts";
import { Button } from "../../../ui/button.tsx";
import { Tooltip } from "../../../ui/tooltip.tsx";
import { useRepCall } from "../../telephony/call/call-provider.tsx";
import { ContactRefusalLine } from "../../telephony/call/contact-refusal-line.tsx";
import { callMessages, useRefusalMessage } from "../../telephony/call/messages.ts";
import { leadCardMessages } from "../messages.ts";

type CallRefusal = Exclude<ContactRefusal, "no_phone">;

/** The lead's call button: `press` is null if it does nothing, and `message` says why. */
interface CallNow {
  kind: "done" | "resume" | "refused" | "call";
  label: string;
  press: (() => void) | null;
  refusal: CallRefusal | null;
  message: string | null;
}

/**
 * Why a number may not be called now, with its text; null if it may. Whether the consultant is on a call comes from the live call, which is
 * newer than the list; a refusal whose time has passed does not count.
 */
export function useCallRefusal({
  callRefusal,
  callAllowedAt,
}: Pick<Lead, "callRefusal" | "callAllowedAt">): { refusal: CallRefusal; message: string } | null {
  const messageOf = useRefusalMessage("call");
  const { hiddenCall } = useRepCall();
  const passed = usePassed(callAllowedAt);
  const listed = passed || callRefusal === "no_phone" || callRefusal === "rep_on_call" ? null : callRefusal;
  const refusal = listed ?? (hiddenCall ? "rep_on_call" : null);
  return refusal && { refusal, message: messageOf(refusal, listed && callAllowedAt) };
}

/** The state of a lead's call button: calls the lead, returns to its call, or says why not. Used by every such button. */
function useCallNow(lead: Lead): CallNow {
  const t = useMessages(leadCardMessages);
  const call = useMessages(callMessages);
  const repCall = useRepCall();
  const refused = useCallRefusal(lead);
  const { hiddenCall } = repCall;
  const free = { refusal: null, message: null };
  if (lead.status === "not_interested")
    return { kind: "done", label: t("callComplete"), press: null, ...free };
  if (hiddenCall?.leadId === lead.id)
    return { kind: "resume", label: call("returnToCall"), press: () => repCall.resume(hiddenCall), ...free };
  // A lead without a phone keeps the button enabled, as pressing it shows the recorded toast.
  if (refused && lead.phone && lead.callRefusal !== "no_phone")
    return { kind: "refused", label: t("callNow"), press: null, ...refused };
  return { kind: "call", label: t("callNow"), press: () => repCall.start(lead), ...free };
}

/** The main button of a card. */
export function CallNowButton({ lead }: { lead: Lead }) {
  const { kind, label, press, refusal, message } = useCallNow(lead);
  if (kind === "done") {
    return (
      <Button variant="secondary" className="flex-1" disabled>
        <CircleCheck aria-hidden />
        {label}
      </Button>
    );
  }
  if (refusal && message) return <RefusedButton lead={lead} refusal={refusal} message={message} />;
  return (
    <Button
      variant={kind === "resume" ? "primary" : "soft"}
      className="flex-1"
      data-act="call"
      title={kind === "call" ? withKey(label, "call") : undefined}
      onClick={press ?? undefined}
    >
      {kind === "resume" ? <PhoneCall aria-hidden /> : <Phone aria-hidden />}
      {label} {kind === "call" ? <span className="sr-only">{lead.name}</span> : null}
    </Button>
  );
}

interface RefusedButtonProps {
  lead: Lead;
  refusal: CallRefusal;
  message: string;
}

function RefusedButton({ lead, refusal, message }: RefusedButtonProps) {
  const t = useMessages(leadCardMessages);
  const repCall = useRepCall();
  const id = useId();
  return (
    <>
      <Tooltip content={message}>
        <Button
          variant="secondary"
          className="flex-1 aria-disabled:pointer-events-auto aria-disabled:cursor-not-allowed"
          data-act="call"
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

/** The button of a row: its icon alone. A refusal is shown and announced on it. */
export function CallNowIcon({ lead }: { lead: Lead }) {
  const call = useCallNow(lead);
  const id = useId();
  const label = `${call.label} ${lead.name}`;
  const Icon = call.kind === "resume" ? PhoneCall : call.press ? Phone : PhoneOff;
  return (
    <>
      <Button
        variant={call.kind === "resume" ? "primary" : "soft"}
        size="row"
        data-control="call"
        data-act="call"
        className={cn(
          "relative z-1",
          !call.press && "bg-transparent text-muted-foreground aria-disabled:pointer-events-auto",
        )}
        aria-label={label}
        title={call.message ?? (call.kind === "call" ? withKey(call.label, "call") : call.label)}
        aria-describedby={call.message ? id : undefined}
        aria-disabled={!call.press || undefined}
        onClick={call.press ?? undefined}
      >
        <Icon aria-hidden />
      </Button>
      {call.message ? (
        <span id={id} className="sr-only">
          {call.message}
        </span>
      ) : null}
    </>
  );
}
