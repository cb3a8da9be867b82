import type { Message } from "@portal/contract/entities/message";
import { Check, CheckCheck, CircleAlert, Clock } from "lucide-react";
import { cn } from "../../../lib/cn.ts";
import { formatTime } from "../../../lib/format.ts";
import { useLanguage, useTexts } from "../../../lib/i18n.ts";
import { Tooltip } from "../../../ui/tooltip.tsx";
import { smsTexts } from "../texts.ts";
import { failureText, iconOf } from "../thread.ts";
import { AttachmentsNote } from "./attachments-note.tsx";

const icons = {
  pending: { Icon: Clock, label: "statusPending" },
  sent: { Icon: Check, label: "statusSent" },
  delivered: { Icon: CheckCheck, label: "statusDelivered" },
  failed: { Icon: CircleAlert, label: "statusFailed" },
} as const;

/** One text: theirs at the left, ours at the right with how far it has come. */
export function Bubble({ message }: { message: Message }) {
  const t = useTexts(smsTexts);
  const isOurs = message.direction === "outbound";
  const icon = iconOf(message.status);
  const { Icon, label } = icons[icon];
  return (
    <div
      className={cn("flex max-w-[85%] flex-col gap-1", isOurs ? "items-end justify-self-end" : "items-start")}
    >
      <BubbleText
        isOurs={isOurs}
        from={t("from", { name: isOurs ? (message.senderName ?? t("you")) : t("lead") })}
        text={message.message}
        attachments={message.attachments}
      />
      <p className="flex items-center gap-1.5 text-muted-foreground text-xs">
        {isOurs && message.senderName ? <span aria-hidden>{message.senderName}</span> : null}
        <time dateTime={message.createdAt}>{formatTime(message.createdAt)}</time>
        {isOurs ? (
          <Icon
            role="img"
            aria-label={t(label)}
            className={cn(
              "size-3.5",
              icon === "failed" && "text-danger-text",
              icon === "delivered" && "text-success-text",
            )}
          />
        ) : null}
      </p>
      {isOurs ? <Failure message={message} /> : null}
    </div>
  );
}

function Failure({ message }: { message: Message }) {
  const t = useTexts(smsTexts);
  const words = failureText(message, useLanguage());
  if (!words) return null;
  const code = message.errorCode === null ? t("noCode") : t("errorCode", { code: message.errorCode });
  return (
    <Tooltip content={code}>
      <button
        type="button"
        className="cursor-help text-right text-danger-text text-xs underline decoration-dotted underline-offset-2 pointer-coarse:min-h-11"
      >
        {words} <span className="sr-only">{code}</span>
      </button>
    </Tooltip>
  );
}

/** A text that the server does not have yet. */
export function PendingBubble({ text }: { text: string }) {
  const t = useTexts(smsTexts);
  return (
    <div className="flex max-w-[85%] flex-col items-end gap-1 justify-self-end opacity-70">
      <BubbleText isOurs text={text} />
      <p className="flex items-center gap-1.5 text-muted-foreground text-xs">
        {t("sending")}
        <Clock role="img" aria-label={t("statusPending")} className="size-3.5" />
      </p>
    </div>
  );
}

interface BubbleTextProps {
  isOurs: boolean;
  from?: string;
  text: string;
  attachments?: number;
}

function BubbleText({ isOurs, from, text, attachments = 0 }: BubbleTextProps) {
  return (
    <p
      className={cn(
        "whitespace-pre-wrap rounded-2xl px-3.5 py-2 text-sm leading-5 [overflow-wrap:anywhere]",
        isOurs
          ? "rounded-br-md bg-primary text-primary-foreground"
          : "rounded-bl-md bg-muted text-foreground",
      )}
    >
      {from ? <span className="sr-only">{from} </span> : null}
      <span dir="auto" className="block">
        {text}
      </span>
      <AttachmentsNote count={attachments} />
    </p>
  );
}
