import type { Lead } from "@portal/contract/entities/lead";
import { useQuery } from "@tanstack/react-query";
import type { RefObject } from "react";
import { formatPhone } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { smsMessages } from "../messages.ts";
import { threadLeadQuery } from "../queries.ts";
import { Conversation } from "./conversation.tsx";

interface SmsDialogProps {
  lead: Lead;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** The SMS with a lead, newest last, and the composer. */
export default function SmsDialog({ lead: opened, onClose, returnFocusTo }: SmsDialogProps) {
  const t = useMessages(smsMessages);
  const { data: lead = opened } = useQuery(threadLeadQuery(opened));
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("title", { name: lead.name })}
      description={lead.phone ? formatPhone(lead.phone) : undefined}
      returnFocusTo={returnFocusTo}
      closeOnOutside={false}
      className="h-[min(42rem,calc(100dvh-2rem))]"
    >
      <Conversation lead={opened} autoFocus />
    </Dialog>
  );
}
