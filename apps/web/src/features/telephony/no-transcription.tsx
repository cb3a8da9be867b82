import type { CallLog } from "@portal/contract/entities/call";
import { cn } from "../../lib/cn.ts";
import { defineMessages, useMessages } from "../../lib/i18n.ts";

const messages = defineMessages("no-transcription", {
  language: [
    "Not written down: only messages in English are.",
    "Sin texto: solo se ponen por escrito los mensajes en inglés.",
  ],
  off: [
    "Not written down: voicemail transcription is off in the consultant's settings.",
    "Sin texto: la transcripción está desactivada en la configuración del consultor.",
  ],
  not_understood: [
    "Not written down: the provider understood no words.",
    "Sin texto: el proveedor no entendió ninguna palabra.",
  ],
});

/** Why a voicemail has no transcription; nothing if it has one, or may still get one. */
export function NoTranscription({
  reason,
  className,
}: {
  reason: CallLog["noTranscription"];
  className?: string;
}) {
  const t = useMessages(messages);
  return reason ? <p className={cn("text-muted-foreground text-sm", className)}>{t(reason)}</p> : null;
}
