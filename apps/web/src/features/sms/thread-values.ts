import type { Message } from "@portal/contract/entities/message";
import { smsFailures, smsFailureUnknown } from "@portal/contract/sms-failures";
import type { Language } from "../../lib/i18n.ts";

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
