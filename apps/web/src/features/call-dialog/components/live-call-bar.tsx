import type { Call } from "@portal/contract/entities/call";
import { PhoneCall } from "lucide-react";
import { formatDuration } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { callTexts } from "../texts.ts";
import { useNow } from "../use-now.ts";

interface LiveCallBarProps {
  call: Call;
  /** When the call was asked for, by the browser's clock in ms. */
  since: number | null;
  onReturn: (call: Call) => void;
}

/** Says that a call goes on behind a closed dialog, since when, and leads back to it. */
export function LiveCallBar({ call, since, onReturn }: LiveCallBarProps) {
  const t = useTexts(callTexts);
  const now = useNow(true);
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
      {since === null ? null : (
        <p role="timer" aria-label={t("timer")} className="font-medium text-sm tabular-nums">
          {formatDuration((now - since) / 1000)}
        </p>
      )}
      <Button size="sm" onClick={() => onReturn(call)}>
        <PhoneCall aria-hidden />
        {t("returnToCall")}
      </Button>
    </section>
  );
}
