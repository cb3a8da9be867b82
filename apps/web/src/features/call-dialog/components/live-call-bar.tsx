import type { Call } from "@portal/contract/entities/call";
import { PhoneCall } from "lucide-react";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { callTexts } from "../texts.ts";
import { BottomBar } from "./bottom-bar.tsx";

interface LiveCallBarProps {
  call: Call;
  /** When the call was asked for, by the browser's clock in ms. */
  since: number | null;
  onReturn: (call: Call) => void;
}

/** Says that a call goes on behind a closed dialog, since when, and leads back to it. */
export function LiveCallBar({ call, since, onReturn }: LiveCallBarProps) {
  const t = useTexts(callTexts);
  const name = call.leadName;
  return (
    <BottomBar
      label={t("liveBar", { name })}
      title={t(call.ending ? "endingNow" : "liveNow")}
      name={name}
      since={since}
    >
      <Button size="sm" onClick={() => onReturn(call)}>
        <PhoneCall aria-hidden />
        {t("returnToCall")}
      </Button>
    </BottomBar>
  );
}
