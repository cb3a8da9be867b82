import { useQuery } from "@tanstack/react-query";
import type { RefObject } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { Dialog, DialogBody } from "../../../ui/dialog.tsx";
import { LeadLink } from "../../../ui/lead-link.tsx";
import { FailureText } from "../../../ui/request-id.tsx";
import { scheduledMessages } from "../messages.ts";
import { scheduledQuery } from "./queries.ts";
import { ScheduledEntry } from "./scheduled-list.tsx";

interface ScheduledDialogProps {
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** All waiting or held SMS of the user's leads, in the order of sending. */
export default function ScheduledDialog({ onClose, returnFocusTo }: ScheduledDialogProps) {
  const t = useMessages(scheduledMessages);
  const { data, error } = useQuery(scheduledQuery());
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("list")}
      returnFocusTo={returnFocusTo}
      className="max-w-xl"
    >
      <DialogBody>
        {error ? <FailureText error={error} fallback={t("loadFailed")} /> : null}
        <ul className="grid grid-cols-1 divide-y">
          {data?.map((text) => (
            <ScheduledEntry key={text.id} text={text}>
              <LeadLink leadId={text.leadId} className="justify-self-start font-medium" onOpen={onClose}>
                {text.leadName}
              </LeadLink>
            </ScheduledEntry>
          ))}
        </ul>
      </DialogBody>
    </Dialog>
  );
}
