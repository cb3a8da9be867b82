import type { Lead } from "@portal/contract/entities/lead";
import { History } from "lucide-react";
import { useRef } from "react";
import { preloadCode } from "../../../lib/connection.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { Button } from "../../../ui/button.tsx";
import { openDialog } from "../../../ui/dialog-outlet.tsx";
import { leadCardMessages } from "../messages.ts";

const TimelineDialog = lateComponent(() => import("../../activity/timeline-dialog.tsx"));

/** Opens the timeline of a lead. */
export function HistoryButton({ lead }: { lead: { id: number; name: string } }) {
  const t = useMessages(leadCardMessages);
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <Button
      ref={opener}
      variant="ghost"
      size="icon-sm"
      className="-my-0.5 pointer-coarse:-my-2 text-muted-foreground"
      aria-label={t("history", { name: lead.name })}
      aria-haspopup="dialog"
      onClick={() =>
        openDialog((close) => <TimelineDialog lead={lead} onClose={close} returnFocusTo={opener} />)
      }
    >
      <History aria-hidden className="size-3.5" />
    </Button>
  );
}

const loadEditName = () => import("./edit-name-dialog.tsx");
const loadUpdateStatus = () => import("./update-status-dialog.tsx");
const EditNameDialog = lateComponent(loadEditName);
const UpdateStatusDialog = lateComponent(loadUpdateStatus);
const ConvertDialog = lateComponent(() => import("./convert-dialog.tsx"));

/** Preloads the dialogs of a card, so that they open without delay. */
export function preloadLeadDialogs(): void {
  preloadCode(loadEditName);
  preloadCode(loadUpdateStatus);
}

/** The focused element, which gets the focus back. */
function opener() {
  return { current: document.activeElement as HTMLElement | null };
}

export function openEditName(lead: Lead): void {
  const returnFocusTo = opener();
  openDialog((close) => <EditNameDialog lead={lead} onClose={close} returnFocusTo={returnFocusTo} />);
}

/** Opens Update Lead Status, which may continue with converting the lead. */
export function openUpdateStatus(lead: Lead): void {
  const returnFocusTo = opener();
  openDialog((close) => (
    <UpdateStatusDialog
      lead={lead}
      onClose={close}
      returnFocusTo={returnFocusTo}
      onConvert={() => {
        close();
        openDialog((closeConvert) => (
          <ConvertDialog lead={lead} onClose={closeConvert} returnFocusTo={returnFocusTo} />
        ));
      }}
    />
  ));
}
