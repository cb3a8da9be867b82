import type { Lead } from "@portal/contract/entities/lead";
import { MessageSquare, MessageSquareOff } from "lucide-react";
import { useId } from "react";
import { cn } from "../../../lib/cn.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { withKey } from "../../../lib/keys.ts";
import { Button } from "../../../ui/button.tsx";
import { smsButtonMessages } from "../../sms/button-messages.ts";
import { openThread } from "../../sms/sms-dock.tsx";
import { useSmsRefusal } from "../../sms/use-sms-refusal.ts";
import { CallNowIcon } from "../components/call-now-button.tsx";

/** Call and SMS of a row: icon buttons with the behaviour of the card's. A refusal is shown and announced on the button. */
export function RowActions({ lead }: { lead: Lead }) {
  return (
    <span className="flex justify-end gap-1">
      <CallNowIcon lead={lead} />
      <RowSms lead={lead} />
    </span>
  );
}

function RowSms({ lead }: { lead: Lead }) {
  const t = useMessages(smsButtonMessages);
  const refusal = useSmsRefusal(lead);
  const id = useId();
  const Icon = refusal ? MessageSquareOff : MessageSquare;
  return (
    <>
      <Button
        variant="ghost"
        size="row"
        data-control="sms"
        data-act="text"
        className={cn("relative z-1", refusal && "text-muted-foreground")}
        aria-haspopup="dialog"
        aria-label={`${t("sendSms")} ${lead.name}`}
        title={refusal?.message ?? withKey(t("sendSms"), "text")}
        aria-describedby={refusal ? id : undefined}
        onClick={() => openThread(lead)}
      >
        <Icon aria-hidden />
      </Button>
      {refusal ? (
        <span id={id} className="sr-only">
          {refusal.message}
        </span>
      ) : null}
    </>
  );
}
