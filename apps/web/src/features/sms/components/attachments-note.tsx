import { Paperclip } from "lucide-react";
import { defineMessages, useMessages } from "../../../lib/i18n.ts";

const messages = defineMessages("sms-attachments", {
  attachments_one: ["{count} attachment, not shown here", "{count} archivo adjunto, no se muestra aquí"],
  attachments_other: [
    "{count} attachments, not shown here",
    "{count} archivos adjuntos, no se muestran aquí",
  ],
});

/** Says that a message had attachments, which stay with the provider. */
export function AttachmentsNote({ count }: { count: number | null }) {
  const t = useMessages(messages);
  if (!count) return null;
  return (
    <span className="flex items-center gap-1.5 italic">
      <Paperclip aria-hidden className="size-3.5 shrink-0" />
      {t("attachments", { count })}
    </span>
  );
}
