import { useQuery } from "@tanstack/react-query";
import { Clock } from "lucide-react";
import { useRef } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { Button } from "../../../ui/button.tsx";
import { openDialog } from "../../../ui/dialog-outlet.tsx";
import { scheduledMessages } from "../messages.ts";
import { scheduledQuery } from "./queries.ts";

const ScheduledDialog = lateComponent(() => import("./scheduled-dialog.tsx"));

/** The number of scheduled and held SMS; opens their list. Nothing without any. */
export function ScheduledStrip() {
  const t = useMessages(scheduledMessages);
  const { data = [] } = useQuery(scheduledQuery());
  const button = useRef<HTMLButtonElement>(null);
  const held = data.filter(({ state }) => state === "held").length;
  if (data.length === 0) return null;
  return (
    <Button
      ref={button}
      size="sm"
      variant="secondary"
      aria-haspopup="dialog"
      onClick={() => openDialog((close) => <ScheduledDialog onClose={close} returnFocusTo={button} />)}
    >
      <Clock aria-hidden />
      {t("waiting", { count: data.length - held })}
      {held > 0 ? <span className="text-warning-text"> · {t("heldCount", { count: held })}</span> : null}
    </Button>
  );
}
