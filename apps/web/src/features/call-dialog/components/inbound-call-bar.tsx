import type { InboundCall } from "@portal/contract/entities/call";
import { History } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { callTexts } from "../texts.ts";
import { BottomBar } from "./bottom-bar.tsx";

const TimelineDialog = lazy(() => import("../../leads/components/timeline-dialog.tsx"));

interface InboundCallBarProps {
  call: InboundCall;
  /** When it was answered, by the browser's clock in ms; null while it rings. */
  since: number | null;
}

/** Says which lead rings the consultant's phone, or is on it, and shows what happened with them so far. */
export default function InboundCallBar({ call, since }: InboundCallBarProps) {
  const t = useTexts(callTexts);
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
