import type { Call } from "@portal/contract/entities/call";
import { PhoneCall } from "lucide-react";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { callTexts } from "../texts.ts";

interface LiveCallBarProps {
  call: Call;
  onReturn: (call: Call) => void;
}

/** Says that a call goes on behind a closed dialog, and leads back to it. */
export function LiveCallBar({ call, onReturn }: LiveCallBarProps) {
  const t = useTexts(callTexts);
  return (
    <section
      aria-label={t("liveBar", { name: call.leadName })}
      data-bottom-bar
      className="fixed inset-x-3 bottom-3 z-30 mx-auto flex max-w-xl items-center gap-3 rounded-xl border bg-surface py-2 pr-2.5 pl-4 shadow-float"
    >
      <span className="relative flex size-2.5 shrink-0">
        <span className="absolute inline-flex size-full animate-ping rounded-full bg-primary opacity-60" />
        <span className="relative inline-flex size-2.5 rounded-full bg-primary" />
      </span>
      <p className="min-w-0 flex-1 text-sm leading-5">
        <span className="block text-muted-foreground text-xs">{t("liveNow")}</span>
        <span className="block truncate font-medium">{call.leadName}</span>
      </p>
      <Button size="sm" onClick={() => onReturn(call)}>
        <PhoneCall aria-hidden />
        {t("returnToCall")}
      </Button>
    </section>
  );
}
