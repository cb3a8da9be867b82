import type { RefObject } from "react";
import { useMessages } from "../../lib/i18n.ts";
import { Dialog, DialogBody, drawerClasses } from "../../ui/dialog.tsx";
import { ExtraFields } from "./extra-fields.tsx";
import { Timeline } from "./timeline.tsx";
import { timelineMessages } from "./timeline-messages.ts";

interface TimelineDialogProps {
  lead: { id: number; name: string };
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** A lead's timeline in a drawer. */
export default function TimelineDialog({ lead, onClose, returnFocusTo }: TimelineDialogProps) {
  const t = useMessages(timelineMessages);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t("title", { name: lead.name })}
      description={t("hint")}
      className={drawerClasses}
      returnFocusTo={returnFocusTo}
    >
      {/* Focusable, so that keys can scroll it. */}
      <DialogBody role="region" aria-label={t("list")} tabIndex={0} className="grid content-start gap-6">
        <ExtraFields leadId={lead.id} />
        <Timeline lead={lead} />
      </DialogBody>
    </Dialog>
  );
}
