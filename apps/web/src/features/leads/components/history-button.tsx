import { History } from "lucide-react";
import { lazy, useRef } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { openDialog } from "../../../ui/dialog-outlet.tsx";
import { leadCardTexts } from "../texts.ts";

const TimelineDialog = lazy(() => import("./timeline-dialog.tsx"));

/** Opens the timeline of a lead. */
export function HistoryButton({ lead }: { lead: { id: number; name: string } }) {
  const t = useTexts(leadCardTexts);
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
