import type { Message } from "@portal/contract/entities/message";
import { smsFailures, smsFailureUnknown } from "@portal/contract/sms-failures";
import { Check, CheckCheck, CircleAlert, Clock, MessageSquare } from "lucide-react";
import { useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { cn } from "../../../lib/cn.ts";
import { formatLongDate, formatPhone, formatTime } from "../../../lib/format.ts";
import { type Language, useLanguage, useMessages } from "../../../lib/i18n.ts";
import { EmptyState } from "../../../ui/list-states.tsx";
import { Tooltip } from "../../../ui/tooltip.tsx";
import { smsMessages } from "../messages.ts";
import { AttachmentsNote } from "./attachments-note.tsx";

/** If the user has scrolled up further than this, new messages do not scroll the thread. */
const nearEndPx = 120;

interface ThreadProps {
  messages: readonly Message[];
  /** An SMS on its way to the server. */
  pending: string | null;
}

/** The messages, oldest first, grouped by day; opens at the newest and follows new ones. */
export function Thread({ messages, pending }: ThreadProps) {
  const t = useMessages(smsMessages);
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const days = useMemo(() => byDay(messages), [messages]);
  const newest = messages.at(-1);
  // A merged lead has several numbers, so each message shows its own.
  const isOfOneNumber = messages.every(({ number }) => number === newest?.number);
  const mark = `${newest?.id} ${messages.length} ${pending}`;

  useEffect(() => {
    if (pending !== null) follows.current = true;
  }, [pending]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the mark changes with the shown messages.
  useLayoutEffect(() => {
    const element = box.current;
    if (element && (follows.current || pending !== null)) element.scrollTop = element.scrollHeight;
  }, [mark]);

  const isEmpty = messages.length === 0 && pending === null;
  useEffect(() => {
    const element = box.current;
    if (isEmpty || !element) return;
    // The composer below grows and shrinks the thread.
    const observer = new ResizeObserver(() => {
      if (follows.current) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isEmpty]);

  if (isEmpty) {
    return (
      // It gives way to the fields below where the height is limited.
      <div className="grid min-h-0 flex-1 place-content-center overflow-hidden">
        <EmptyState icon={MessageSquare} title={t("empty")} description={t("emptyHint")} isInside />
      </div>
    );
  }
  return (
    <section
      ref={box}
      aria-label={t("thread")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < nearEndPx;
      }}
      className="mt-3 min-h-0 flex-1 overflow-y-auto overscroll-contain border-t px-5 py-4 outline-offset-[-2px] sm:px-6"
    >
      <div role="log" aria-live="polite" className="grid grid-cols-1 gap-4">
        {days.map(({ day, at, items }) => (
          <div key={day} className="grid grid-cols-1 gap-2.5">
            <DayLine at={at} />
            {items.map((message) => (
              <Bubble key={message.id} message={message} hasNumber={!isOfOneNumber} />
            ))}
          </div>
        ))}
        {pending === null ? null : <PendingBubble text={pending} />}
      </div>
    </section>
  );
}

function DayLine({ at }: { at: string }) {
  const t = useMessages(smsMessages);
  const near = nearDay(at, new Date());
  return (
    <h3 className="flex items-center gap-3 py-1 font-medium text-muted-foreground text-xs before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
      <time dateTime={at}>{near ? t(near) : formatLongDate(at)}</time>
    </h3>
  );
}

const icons = {
  pending: { Icon: Clock, label: "statusPending" },
  sent: { Icon: Check, label: "statusSent" },
  delivered: { Icon: CheckCheck, label: "statusDelivered" },
  failed: { Icon: CircleAlert, label: "statusFailed" },
} as const;

/** One message: inbound ones on the left, ours on the right with their status. */
function Bubble({ message, hasNumber }: { message: Message; hasNumber: boolean }) {
  const t = useMessages(smsMessages);
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
        {hasNumber ? <span className="tabular-nums">{formatPhone(message.number)}</span> : null}
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
  const t = useMessages(smsMessages);
  const failure = failureText(message, useLanguage());
  if (!failure) return null;
  const code = message.errorCode === null ? t("noCode") : t("errorCode", { code: String(message.errorCode) });
  return (
    <Tooltip content={code}>
      <button
        type="button"
        className="cursor-help text-right text-danger-text text-xs underline decoration-dotted underline-offset-2 pointer-coarse:min-h-11"
      >
        {failure} <span className="sr-only">{code}</span>
      </button>
    </Tooltip>
  );
}

/** An SMS that the server does not have yet. */
function PendingBubble({ text }: { text: string }) {
  const t = useMessages(smsMessages);
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
        isOurs ? "rounded-br-md bg-primary-soft text-foreground" : "rounded-bl-md bg-muted text-foreground",
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

/** The status icon of an outbound SMS: sent, delivered, failed, otherwise pending. */
export function iconOf(status: Message["status"]): "sent" | "delivered" | "failed" | "pending" {
  if (status === "sent" || status === "delivered") return status;
  return status === "failed" || status === "undelivered" ? "failed" : "pending";
}

/** Why an SMS failed: the server's text in English, in Spanish a translation by its code. */
export function failureText(
  message: Pick<Message, "failure" | "errorCode">,
  language: Language,
): string | null {
  if (message.failure === null || language === "en") return message.failure;
  return (smsFailures[message.errorCode ?? 0] ?? smsFailureUnknown)[1];
}

export interface Day<Item> {
  /** Key of the day in the browser's zone. */
  day: string;
  at: string;
  items: Item[];
}

/** Messages grouped by day in the browser's zone, in order. */
export function byDay<Item extends { createdAt: string }>(messages: readonly Item[]): Day<Item>[] {
  const days: Day<Item>[] = [];
  for (const message of messages) {
    const day = new Date(message.createdAt).toDateString();
    const last = days.at(-1);
    if (last?.day === day) last.items.push(message);
    else days.push({ day, at: message.createdAt, items: [message] });
  }
  return days;
}

/** Whether a day is today or yesterday by the calendar. */
export function nearDay(at: string, now: Date): "today" | "yesterday" | null {
  const day = new Date(at).toDateString();
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  if (day === now.toDateString()) return "today";
  return day === yesterday.toDateString() ? "yesterday" : null;
}
