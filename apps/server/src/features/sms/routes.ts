import type { ListedSms, Message, UnknownMessage } from "@portal/contract/entities/message";
import * as scheduled from "@portal/contract/routes/scheduled-sms";
import * as contract from "@portal/contract/routes/sms";
import { smsFailures, smsFailureUnknown } from "@portal/contract/sms-failures";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../platform/http/bind-route.ts";
import { answerList, filterValue } from "../../platform/http/list.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { logScope } from "../telephony/policy.ts";
import {
  countMessages,
  countUnknown,
  countUnread,
  type ListedRow,
  listAllMessages,
  listUnknown,
  type MessageFilter,
  type UnknownRow,
} from "./message-list-repository.ts";
import { listMessages, type MessageViewRow } from "./message-repository.ts";
import { cancelSms, listAll, listOfLead, releaseSms, scheduleSms } from "./scheduled/service.ts";
import { sendSms } from "./send-message.ts";
import { attachUnknown, checkMaySee, dismissUnknown, markMessagesRead, settleAnswered } from "./service.ts";
import type { SmsContext } from "./types.ts";

/** Waiting SMS are counted up to this number. */
const inboxCap = 1_000;

/** Routes for SMS with leads, and for the inbox of unknown numbers. */
export function registerSmsRoutes(app: FastifyInstance, context: SmsContext): void {
  const { db } = context.database;

  bindRoute(app, contract.listMessages, async ({ params, actor }) => {
    await checkMaySee(db, actor, params.id);
    return (await listMessages(db, params.id)).map(presentMessage);
  });

  bindRoute(app, contract.listSmsHistory, ({ query, actor, reply }) => {
    const filter: MessageFilter = {
      scope: logScope(actor),
      timeZone: context.contactPolicy.orgTimeZone,
      range: filterValue(query.range),
      day: query.day,
      until: query.until,
      rep: query.rep,
      direction: query.direction || undefined,
    };
    return answerList(reply, query, {
      fetch: (after, limit) => listAllMessages(db, { filter, after, limit }),
      keysetOf: (row) => ({ at: row.keysetAt, id: row.id }),
      present: (row) => presentListed(row, actor),
      count: (cap) => countMessages(db, { filter, cap }),
    });
  });

  bindRoute(app, contract.sendMessage, async ({ params, body, actor }) => {
    const sent = await sendSms(context, {
      actor,
      leadId: params.id,
      message: body.message,
      clientRef: body.clientRef ?? null,
      templateVersionId: body.templateVersionId,
      overrideReason: body.overrideReason,
    });
    await settleAnswered(context, { leadId: params.id, sent });
    return presentMessage(sent);
  });

  bindRoute(app, contract.markMessagesRead, async ({ params, actor }) => ({
    marked: await markMessagesRead(context, { actor, leadId: params.id }),
  }));

  bindRoute(app, contract.getUnreadMessages, async ({ actor }) => ({
    leads: await countUnread(db, { userId: actor.userId, isAdmin: actor.role === "admin" }),
    inbox: await countUnknown(db, inboxCap),
  }));

  bindRoute(app, contract.listUnknownMessages, ({ query, reply }) =>
    answerList(reply, query, {
      fetch: (after, limit) => listUnknown(db, { after, limit }),
      keysetOf: (row) => ({ at: row.keysetAt, id: row.id }),
      present: presentUnknown,
      count: (cap) => countUnknown(db, cap),
    }),
  );

  bindRoute(app, contract.attachUnknownMessage, async ({ params, body, actor }) => ({
    attached: await attachUnknown(context, { actor, messageId: params.id, leadId: body.leadId }),
  }));

  bindRoute(app, contract.dismissUnknownMessage, async ({ params, actor }) => ({
    dismissed: await dismissUnknown(context, { actor, messageId: params.id }),
  }));
}

/** Why an SMS was not delivered, as a message for the consultant; null if it did not fail. */
function failureOf(row: Pick<MessageViewRow, "status" | "errorCode">): string | null {
  if (row.status !== "failed" && row.status !== "undelivered") return null;
  return (smsFailures[row.errorCode ?? 0] ?? smsFailureUnknown)[0];
}

/** Presents an SMS. */
function presentMessage(row: MessageViewRow): Message {
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
function presentListed(row: ListedRow, actor: AuthSession): ListedSms {
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

function presentUnknown(row: UnknownRow): UnknownMessage {
  const { id, from, body, attachments, createdAt } = row;
  return { id, from, message: body, attachments, createdAt: createdAt.toISOString() };
}

/** Routes for scheduled SMS: schedule, list, cancel, or send at once. */
export function registerScheduledSmsRoutes(app: FastifyInstance, context: SmsContext): void {
  bindRoute(app, scheduled.listScheduledSms, ({ actor }) => listAll(context, actor));
  bindRoute(app, scheduled.listLeadScheduledSms, ({ params, actor }) =>
    listOfLead(context, { actor, leadId: params.id }),
  );
  bindRoute(app, scheduled.scheduleSms, ({ params, body, actor }) =>
    scheduleSms(context, { ...body, actor, leadId: params.id }),
  );
  bindRoute(app, scheduled.cancelScheduledSms, ({ params, actor }) =>
    cancelSms(context, { actor, id: params.id }),
  );
  bindRoute(app, scheduled.releaseScheduledSms, ({ params, actor }) =>
    releaseSms(context, { actor, id: params.id }),
  );
}
