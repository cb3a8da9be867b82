import { Phone } from "lucide-react";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { preloadCallDialog, useCallDesk } from "../../call-dialog/call-desk.tsx";
import { useLeadOfLog } from "../queries.ts";
import { historyTexts } from "../texts.ts";

/** Calls a lead back whose call was missed; the lead is read first, as its number may have changed since. */
export function CallBackButton({ leadId, name }: { leadId: number; name: string }) {
  const t = useTexts(historyTexts);
  const desk = useCallDesk();
  const lead = useLeadOfLog();
  return (
    <Button
      size="sm"
      pending={lead.isPending}
      onPointerEnter={preloadCallDialog}
      onClick={() => lead.mutate(leadId, { onSuccess: (current) => desk.start(current) })}
    >
      <Phone aria-hidden />
      {t("callBack")} <span className="sr-only">{name}</span>
    </Button>
  );
}
