import * as contract from "@portal/contract/routes/sms";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../http/bind-route.ts";
import { chosen } from "../../http/chosen.ts";
import { answerList } from "../../http/list.ts";
import { logScope } from "../calls/policy.ts";
import { listMessages } from "./data.ts";
import { countUnknown, countUnread, listUnknown } from "./data-inbox.ts";
import { countTexts, listTexts, type TextFilter } from "./data-texts.ts";
import { checkMaySee } from "./policy.ts";
import { presentListed, presentMessage, presentUnknown } from "./present.ts";
import { readTexts } from "./read-texts.ts";
import { sendText } from "./send-text.ts";
import type { SmsContext } from "./service.ts";
import { attachUnknown, dismissUnknown } from "./settle-unknown.ts";

/** More waiting texts than this are not counted. */
const inboxCap = 1_000;

/** Texts with leads, and the inbox of unknown numbers (specification §7). */
export function registerSmsRoutes(app: FastifyInstance, context: SmsContext): void {
  const { db } = context.database;

  bindRoute(app, contract.listMessages, async ({ params, actor }) => {
    await checkMaySee(db, actor, params.id);
    return (await listMessages(db, params.id)).map(presentMessage);
  });

  bindRoute(app, contract.listTexts, ({ query, actor, reply }) => {
    const filter: TextFilter = {
      scope: logScope(actor),
      timeZone: context.gate.orgTimeZone,
      range: chosen(query.range),
      day: query.day,
      until: query.until,
      rep: query.rep,
      direction: query.direction || undefined,
    };
    return answerList(reply, query, {
      fetch: (after, limit) => listTexts(db, { filter, after, limit }),
      keysetOf: (row) => ({ at: row.keysetAt, id: row.id }),
      present: (row) => presentListed(row, actor),
      count: (cap) => countTexts(db, { filter, cap }),
    });
  });

  bindRoute(app, contract.sendMessage, async ({ params, body, actor }) =>
    presentMessage(
      await sendText(context, {
        actor,
        leadId: params.id,
        message: body.message,
        clientRef: body.clientRef ?? null,
        overrideReason: body.overrideReason,
      }),
    ),
  );

  bindRoute(app, contract.markMessagesRead, async ({ params, actor }) => ({
    marked: await readTexts(context, { actor, leadId: params.id }),
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
