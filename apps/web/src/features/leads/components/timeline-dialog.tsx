import type { RefObject } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { Dialog, DialogBody } from "../../../ui/dialog.tsx";
import { timelineTexts } from "../timeline-texts.ts";
import { drawerClasses } from "./drawer.ts";
import { Timeline } from "./timeline.tsx";

interface TimelineDialogProps {
  lead: { id: number; name: string };
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** A lead's timeline in a drawer: calls with their players, texts, and every change. */
export default function TimelineDialog({ lead, onClose, returnFocusTo }: TimelineDialogProps) {
  const t = useTexts(timelineTexts);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t("title", { name: lead.name })}
      description={t("hint")}
      className={drawerClasses}
      returnFocusTo={returnFocusTo}
    >
      {/* Reached by keys, so that they can scroll it. */}
      <DialogBody role="region" aria-label={t("list")} tabIndex={0}>
        <Timeline lead={lead} />
      </DialogBody>
    </Dialog>
  );
}
