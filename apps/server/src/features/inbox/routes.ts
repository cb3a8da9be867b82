import type { InboxEntry } from "@portal/contract/entities/inbox";
import * as contract from "@portal/contract/routes/inbox";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../platform/http/bind-route.ts";
import { answerList } from "../../platform/http/list.ts";
import { countEntries, type EntryRow, listEntries } from "./repository.ts";
import { attachNumber, type InboxContext, reopenEntry, scopeOf, settleEntry } from "./service.ts";

/** Routes of the inbox: list, settle and reopen entries, and attach a number to a lead. */
export function registerInboxRoutes(app: FastifyInstance, context: InboxContext): void {
  const { db } = context.database;

  bindRoute(app, contract.listInbox, ({ query, actor, reply }) => {
    const scope = scopeOf(actor, query.of);
    return answerList(reply, query, {
      fetch: (after, limit) => listEntries(db, { scope, after, limit }),
      keysetOf: (row) => ({ at: row.keysetAt, id: row.keysetId }),
      present: presentEntry,
      count: (cap) => countEntries(db, { scope, cap }),
    });
  });

  bindRoute(app, contract.countInbox, async ({ query, actor }) => {
    const cap = contract.inboxCountCap;
    const count = await countEntries(db, { scope: scopeOf(actor, query.of), cap: cap + 1 });
    return { count: Math.min(count, cap), isMore: count > cap };
  });

  bindRoute(app, contract.settleInboxEntry, ({ params, body, actor }) =>
    settleEntry(context, { actor, entryId: params.id, ...body }),
  );

  bindRoute(app, contract.reopenInboxEntry, ({ params, body, actor }) =>
    reopenEntry(context, { actor, entryId: params.id, ...body }),
  );

  bindRoute(app, contract.attachNumber, ({ body, actor }) => attachNumber(context, { actor, ...body }));
}

/** Presents an entry field by field. */
function presentEntry(row: EntryRow): InboxEntry {
  const { leadId } = row;
  return {
    id: row.id,
    lead:
      leadId === null
        ? null
        : {
            id: leadId,
            name: row.leadName ?? "",
            company: row.company,
            assignedTo: row.assignedTo,
            salesRepName: row.salesRepName,
          },
    number: row.number === "anonymous" ? null : row.number,
    at: row.at.toISOString(),
    textCount: row.textCount,
    callCount: row.callCount,
    lastTextId: row.lastTextId,
    lastCallId: row.lastCallId,
    texts: row.texts.map(({ id, message, attachments, createdAt }) => ({
      id,
      message,
      attachments,
      createdAt: createdAt.toISOString(),
    })),
    calls: row.calls.map((call) => ({
      id: call.id,
      logId: call.logId,
      number: call.number,
      result: call.result,
      startedAt: call.startedAt.toISOString(),
      recordingSid: call.recording?.sid ?? null,
      recordingSeconds: call.recording?.durationSeconds ?? null,
      transcription: call.transcription,
      noTranscription: call.noTranscription,
    })),
  };
}
