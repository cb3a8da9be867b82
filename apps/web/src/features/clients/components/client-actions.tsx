import type { ConvertedClient } from "@portal/contract/routes/clients";
import { PanelRightOpen, Phone } from "lucide-react";
import { openLead, preloadLeadPanel } from "../../../lib/lead-panel.ts";
import { Button } from "../../../ui/button.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { preloadCallDialog } from "../../telephony/call/call-provider.tsx";
import type { ContactsTranslate } from "../messages.ts";

interface ClientActionsProps {
  client: ConvertedClient;
  isCalling: boolean;
  onCall: (client: ConvertedClient) => void;
  t: ContactsTranslate;
}

/** Call and Open; the latter covers the whole row. */
export function ClientActions({ client, isCalling, onCall, t }: ClientActionsProps) {
  const call = t("call", { name: client.name });
  const open = t("open", { name: client.name });
  return (
    <div className="flex justify-end gap-1">
      <Button
        variant="ghost"
        size="row"
        data-control="call"
        className="z-1"
        aria-label={call}
        title={call}
        // Not disabled, which would lose the focus that the opened dialog has to restore.
        aria-busy={isCalling || undefined}
        onPointerEnter={preloadCallDialog}
        onClick={() => onCall(client)}
      >
        {isCalling ? <Spinner decorative /> : <Phone aria-hidden />}
      </Button>
      <Button
        variant="ghost"
        size="row"
        data-control="open"
        className="static after:absolute after:inset-0"
        aria-label={open}
        title={open}
        aria-haspopup="dialog"
        onPointerEnter={preloadLeadPanel}
        onClick={({ currentTarget }) => openLead(client.leadId, currentTarget)}
      >
        <PanelRightOpen aria-hidden />
      </Button>
    </div>
  );
}
