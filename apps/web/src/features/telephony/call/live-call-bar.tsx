import type { Call } from "@portal/contract/entities/call";
import { PhoneCall } from "lucide-react";
import type { ReactNode } from "react";
import { useNow } from "../../../lib/clock.tsx";
import { useRootMark } from "../../../lib/document.ts";
import { formatDuration } from "../../../lib/format.ts";
import { defineMessages, useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { isChecking } from "./call-state.ts";
import { callMessages } from "./messages.ts";

/** Messages of the bars of live calls. */
export const callBarMessages = defineMessages("call-bars", {
  liveNow: ["Live call", "Llamada en curso"],
  endingNow: ["Ending the call…", "Terminando la llamada…"],
  liveBar: ["Live call with {name}", "Llamada en curso con {name}"],
  inboundRings: ["Is calling: answer your phone and press 1", "Te llama: contesta tu teléfono y pulsa 1"],
  standInRings: [
    "Calls for {name}: answer your phone and press 1",
    "Llama a {name}: contesta tu teléfono y pulsa 1",
  ],
  standInTalks: ["Incoming call for {name}", "Llamada entrante para {name}"],
  inboundTalks: ["Incoming call", "Llamada entrante"],
  inboundBar: ["Incoming call from {name}", "Llamada entrante de {name}"],
  officeRings: ["Rings the office line", "Suena en la línea de la oficina"],
  officeTalks: ["On the office line", "En la línea de la oficina"],
  withheld: ["Withheld number", "Número oculto"],
  inboundHistory: ["History", "Historial"],
});

interface BottomBarProps {
  label: string;
  /** The state, above the lead's name. */
  title: string;
  name: string;
  /** Start of the timer by the browser's clock in ms; null for none. */
  since: number | null;
  /** Shown at the top, while another call's bar is at the bottom. */
  isFurther?: boolean;
  /** Buttons. */
  children: ReactNode;
}

/** The bar of a live call at the bottom of every page, with space reserved for it. */
export function BottomBar({ label, title, name, since, isFurther = false, children }: BottomBarProps) {
  const t = useMessages(callMessages);
  const now = useNow(true);
  useRootMark("hasBottomBar");
  return (
    <>
      {/* Space for the bar, so that it never covers the end of the page. */}
      <div className="h-16" />
      <section
        aria-label={label}
        data-bottom-bar={isFurther ? "further" : ""}
        className="fixed inset-x-3 bottom-[calc(0.75rem+var(--phone-bar))] z-40 flex items-center gap-2 max-sm:flex-wrap sm:right-4 sm:left-auto sm:min-w-96 sm:max-w-xl sm:gap-3 rounded-xl border bg-surface py-2 pr-2.5 pl-4 shadow-float"
      >
        <span className="relative flex size-2.5 shrink-0">
          <span className="absolute inline-flex size-full animate-ping rounded-full bg-primary opacity-60" />
          <span className="relative inline-flex size-2.5 rounded-full bg-primary" />
        </span>
        <p className="min-w-0 flex-1 text-sm leading-5">
          <span className="block text-muted-foreground text-xs">{title}</span>
          <span className="block truncate font-medium">{name}</span>
        </p>
        {since === null ? null : (
          <p role="timer" aria-label={t("timer")} className="font-medium text-sm tabular-nums">
            {formatDuration((now - since) / 1000)}
          </p>
        )}
        {children}
      </section>
    </>
  );
}

interface LiveCallBarProps {
  call: Call;
  /** When the call was requested, by the browser's clock in ms. */
  since: number | null;
  onReturn: (call: Call) => void;
}

/** The bar of a call whose dialog is closed; opens the dialog. */
export function LiveCallBar({ call, since, onReturn }: LiveCallBarProps) {
  const t = useMessages(callMessages);
  const bar = useMessages(callBarMessages);
  const name = call.leadName;
  return (
    <BottomBar
      label={bar("liveBar", { name })}
      title={isChecking(call) && !call.ending ? t("checking") : bar(call.ending ? "endingNow" : "liveNow")}
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
