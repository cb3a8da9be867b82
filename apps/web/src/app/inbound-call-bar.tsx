import type { InboundCall } from "@portal/contract/entities/call";
import { History } from "lucide-react";
import { Suspense, useRef, useState } from "react";
import { BottomBar } from "../features/telephony/call/call-bar.tsx";
import { callMessages } from "../features/telephony/call/messages.ts";
import { useMessages } from "../lib/i18n.ts";
import { lateComponent } from "../lib/late-module.ts";
import { Button } from "../ui/button.tsx";

const TimelineDialog = lateComponent(() => import("../features/activity/timeline-dialog.tsx"));

interface InboundCallBarProps {
  call: InboundCall;
  /** When it was answered, by the browser's clock in ms; null while it rings. */
  since: number | null;
}

/** Says which lead rings the consultant's phone, or is on it, and shows what happened with them so far. */
export default function InboundCallBar({ call, since }: InboundCallBarProps) {
  const t = useMessages(callMessages);
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const { leadId, leadName: name } = call;
  return (
    <>
      <BottomBar
        label={t("inboundBar", { name })}
        title={t(call.state === "ringing" ? "inboundRings" : "inboundTalks")}
        name={name}
        since={since}
      >
        <Button ref={opener} size="sm" variant="secondary" onClick={() => setOpen(true)}>
          <History aria-hidden />
          {t("inboundHistory")}
        </Button>
      </BottomBar>
      {isOpen ? (
        <Suspense fallback={null}>
          <TimelineDialog lead={{ id: leadId, name }} onClose={() => setOpen(false)} returnFocusTo={opener} />
        </Suspense>
      ) : null}
    </>
  );
}
