import type { ListedText } from "@portal/contract/entities/message";
import { ArrowDownLeft, ArrowUpRight } from "lucide-react";
import { memo } from "react";
import { formatDate, formatPhone, formatTime } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Badge } from "../../../ui/badge.tsx";
import { textListTexts } from "../texts.ts";

interface TextEntryProps {
  text: ListedText;
  onOpen: (leadId: number) => void;
}

/** One text: with whom, which way, when, by whom and what; its lead's name opens the conversation. */
export const TextEntry = memo(function TextEntry({ text, onOpen }: TextEntryProps) {
  const t = useTexts(textListTexts);
  const { leadId, direction, senderName, attachments } = text;
  const name = text.leadName ?? formatPhone(text.number);
  const isSent = direction === "outbound";
  const Icon = isSent ? ArrowUpRight : ArrowDownLeft;
  return (
    <article
      aria-label={name}
      className="grid grid-cols-[minmax(0,1fr)] gap-1.5 rounded-xl border bg-surface p-4 shadow-card"
    >
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h2 className="min-w-0 max-w-full font-semibold text-base leading-6">
          {text.mayOpen && leadId !== null ? (
            <button
              type="button"
              title={t("openThread", { name })}
              className="block max-w-full truncate rounded-sm text-left underline-offset-4 hover:underline pointer-coarse:-my-2.5 pointer-coarse:min-h-11"
              onClick={() => onOpen(leadId)}
            >
              {name}
            </button>
          ) : (
            <span className="block truncate">{name}</span>
          )}
        </h2>
        <Badge tone={isSent ? "info" : "neutral"}>
          <Icon aria-hidden />
          {t(isSent ? "sentOne" : "receivedOne")}
        </Badge>
        {leadId !== null && !text.mayOpen ? <Badge>{t("elsewhere")}</Badge> : null}
      </div>
      {text.message ? (
        <p className="line-clamp-4 whitespace-pre-wrap break-words text-sm">{text.message}</p>
      ) : null}
      {attachments > 0 ? (
        <p className="text-muted-foreground text-sm">{t("filesOnly", { count: attachments })}</p>
      ) : null}
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-muted-foreground text-sm">
        <time dateTime={text.createdAt}>
          {formatDate(text.createdAt)}, {formatTime(text.createdAt)}
        </time>
        {senderName ? <span>{t("by", { name: senderName })}</span> : null}
      </p>
    </article>
  );
});
