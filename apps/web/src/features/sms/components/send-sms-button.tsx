import type { Lead } from "@portal/contract/entities/lead";
import { MessageSquare, MessageSquareOff } from "lucide-react";
import { useId } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { withKey } from "../../../lib/keys.ts";
import { CountBadge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Tooltip } from "../../../ui/tooltip.tsx";
import { smsButtonMessages } from "../button-messages.ts";
import { openThread } from "../sms-dock.tsx";
import { useSmsRefusal } from "../use-sms-refusal.ts";

/** Whether the call button or the card gives the same reason already. */
function isSaid({ textRefusal, callRefusal, status }: Lead): boolean {
  return textRefusal === "no_phone" || (textRefusal === callRefusal && status !== "not_interested");
}

/** Opens the SMS with a lead. If none may be sent it shows why, as text on touch screens; the thread can still be read. */
export function SendSmsButton({ lead }: { lead: Lead }) {
  const t = useMessages(smsButtonMessages);
  const refusal = useSmsRefusal(lead);
  const id = useId();
  const Icon = refusal ? MessageSquareOff : MessageSquare;
  const button = (
    <Button
      variant="secondary"
      className="flex-1"
      data-act="text"
      title={refusal ? undefined : withKey(t("sendSms"), "text")}
      aria-haspopup="dialog"
      aria-describedby={refusal ? id : undefined}
      onClick={() => openThread(lead)}
    >
      <Icon aria-hidden className={refusal ? "text-muted-foreground" : undefined} />
      {t("sendSms")} <span className="sr-only">{lead.name}</span>
      {lead.unreadTexts > 0 ? (
        <CountBadge count={lead.unreadTexts} label={t("unread", { count: lead.unreadTexts })} />
      ) : null}
    </Button>
  );
  if (!refusal) return button;
  return (
    <>
      <Tooltip content={refusal.message}>{button}</Tooltip>
      <p id={id} className={isSaid(lead) ? "sr-only" : "order-last w-full text-muted-foreground text-xs"}>
        {refusal.message}
      </p>
    </>
  );
}
