import type { CallLog } from "@portal/contract/entities/call";
import type { Lead } from "@portal/contract/entities/lead";
import { Copy, Phone, UserPlus } from "lucide-react";
import { formatPhone } from "../../lib/format.ts";
import { type Translate, useMessages } from "../../lib/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toast.ts";
import { newLeadButtonMessages } from "../new-lead/messages.ts";
import { openNewLead } from "../new-lead/open-new-lead.tsx";
import { preloadCallDialog, useRepCall } from "../telephony/call/call-provider.tsx";
import { historyMessages } from "./messages.ts";
import { useLeadOfLog } from "./queries.ts";

interface CallBackProps {
  leadId: number;
  name: string;
  /** The number that called, null if it was withheld. */
  number: string | null;
}

/** Calls a lead back after a missed call. The lead is fetched first, as its number may have changed. */
export function CallBackButton({ leadId, name, number }: CallBackProps) {
  const t = useMessages(historyMessages);
  const repCall = useRepCall();
  const lead = useLeadOfLog();
  return (
    <Button
      variant="soft"
      size="sm"
      pending={lead.isPending}
      onPointerEnter={preloadCallDialog}
      onClick={() => lead.mutate({ leadId, number }, { onSuccess: (current) => repCall.start(current) })}
    >
      <Phone aria-hidden />
      {t("callBack")} <span className="sr-only">{name}</span>
    </Button>
  );
}

/** The caller's name: the lead's, or 'Lead #id'; for an unknown caller the number, unless withheld. */
export function callerName(
  { leadId, leadName, callerNumber }: Pick<CallLog, "leadId" | "leadName" | "callerNumber">,
  t: Translate<typeof historyMessages.pairs>,
): string {
  if (leadId !== null) return leadName || t("leadNumber", { id: String(leadId) });
  return callerNumber ? formatPhone(callerNumber) : t("withheld");
}

interface StrangerActionsProps {
  number: string;
  /** Called with the lead made for the number; without it the lead's panel opens. */
  onMade?: (lead: Lead) => void;
}

/** Actions for an unknown caller: create a lead, or dial or copy the number, as the portal calls leads only. */
export function StrangerActions({ number, onMade }: StrangerActionsProps) {
  const t = useMessages(historyMessages);
  const add = useMessages(newLeadButtonMessages);
  const shown = formatPhone(number);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(number);
      toast({ title: t("copied"), description: shown, tone: "success" });
    } catch {
      toast({ title: t("copyNumber"), description: t("copyFailed"), tone: "destructive" });
    }
  }
  return (
    <>
      <Button
        size="sm"
        variant="secondary"
        aria-haspopup="dialog"
        aria-label={add("newLeadFor", { number: shown })}
        onClick={() => openNewLead({ phone: number, onMade })}
      >
        <UserPlus aria-hidden />
        {add("newLead")}
      </Button>
      <Button asChild size="sm" variant="secondary">
        <a href={`tel:${number}`} title={t("dialHint")}>
          <Phone aria-hidden />
          {t("dial")} <span className="sr-only">{shown}</span>
        </a>
      </Button>
      <Button
        size="icon-sm"
        variant="secondary"
        aria-label={`${t("copyNumber")} ${shown}`}
        title={t("copyNumber")}
        onClick={() => void copy()}
      >
        <Copy aria-hidden />
      </Button>
    </>
  );
}
