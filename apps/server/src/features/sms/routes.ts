import * as contract from "@portal/contract/routes/sms";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../platform/http/bind-route.ts";
import { answerList, filterValue } from "../../platform/http/list.ts";
import { logScope } from "../telephony/policy.ts";
import {
  countMessages,
  countUnknown,
  countUnread,
  listAllMessages,
  listUnknown,
  type MessageFilter,
} from "./message-list-repository.ts";
import { listMessages } from "./message-repository.ts";
import { presentListed, presentMessage, presentUnknown } from "./present.ts";
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
