import type { ListedSms, Message, UnknownMessage } from "@portal/contract/entities/message";
import { smsFailures, smsFailureUnknown } from "@portal/contract/sms-failures";
import type { AuthSession } from "../../platform/http/session.ts";
import type { ListedRow, UnknownRow } from "./message-list-repository.ts";
import type { MessageViewRow } from "./message-repository.ts";

/** Why an SMS was not delivered, in words for the consultant; null if it did not fail. */
function failureOf(row: Pick<MessageViewRow, "status" | "errorCode">): string | null {
  if (row.status !== "failed" && row.status !== "undelivered") return null;
  return (smsFailures[row.errorCode ?? 0] ?? smsFailureUnknown)[0];
}

/** Presents an SMS. */
export function presentMessage(row: MessageViewRow): Message {
  return {
    id: row.id,
    direction: row.direction,
    status: row.status,
    number: row.direction === "inbound" ? row.fromNumber : row.toNumber,
    message: row.body,
    attachments: row.attachments,
    createdAt: row.createdAt.toISOString(),
    failure: failureOf(row),
    errorCode: row.errorCode,
    senderName: row.senderName,
  };
}

/** Presents an SMS of the list of all. */
export function presentListed(row: ListedRow, actor: AuthSession): ListedSms {
  return {
    id: row.id,
    leadId: row.leadId,
    leadName: row.leadName,
    mayOpen: row.leadId !== null && (actor.role === "admin" || row.assignedTo === actor.userId),
    number: row.number,
    direction: row.direction,
    status: row.status,
    message: row.body,
    attachments: row.attachments,
    createdAt: row.createdAt.toISOString(),
    senderName: row.senderName,
  };
}

export function presentUnknown(row: UnknownRow): UnknownMessage {
  const { id, from, body, attachments, createdAt } = row;
  return { id, from, message: body, attachments, createdAt: createdAt.toISOString() };
}
