import type { FastifyInstance } from "fastify";
import { speechSeconds, speechWav } from "../audio.ts";
import { GHL_LOCATION_ID } from "../defaults.ts";
import { numberOr } from "../number-or.ts";
import { fullName } from "./contact-views.ts";
import type { CrmData } from "./crm-data.ts";
import type { CallMessage, Conversation } from "./entities.ts";
import { GhlError } from "./errors.ts";
import { beSlow, requireLocation } from "./guards.ts";
import type { Manners } from "./manners.ts";

type Query = { Querystring: Record<string, string | undefined> };
type Recording = { Params: { messageId: string; locationId: string } };

/** Conversations, their calls and the recordings. */
export function conversationRoutes(app: FastifyInstance, data: CrmData, manners: Manners): void {
  app.get<Query>("/conversations/search", async ({ query }) => {
    requireLocation(query.locationId);
    const matching = data.conversations
      .values()
      .filter((one) => !query.contactId || one.contactId === query.contactId)
      .filter((one) => !query.id || one.id === query.id);
    const limit = numberOr(query.limit, 20);
    return {
      conversations: matching.slice(0, limit).map((one) => presentConversation(data, one)),
      total: matching.length,
    };
  });

  app.get<{ Params: { conversationId: string } } & Query>(
    "/conversations/:conversationId/messages",
    async ({ params, query }) => {
      const conversation = data.conversations.get(params.conversationId);
      if (!conversation) throw new GhlError(400, `Conversation with id ${params.conversationId} not found`);
      const asked = query.type === undefined || query.type === "TYPE_CALL";
      const all = asked ? newestFirst(data).filter((call) => call.conversationId === conversation.id) : [];
      const after = all.findIndex((call) => call.id === query.lastMessageId) + 1;
      const page = all.slice(after, after + numberOr(query.limit, 20));
      return {
        messages: {
          lastMessageId: page.at(-1)?.id ?? "",
          nextPage: after + page.length < all.length,
          messages: page.map(presentLive),
        },
      };
    },
  );

  app.get<Query>("/conversations/messages/export", async ({ query }) => {
    requireLocation(query.locationId);
    await beSlow(manners, numberOr(query.limit, 100));
    return exportCalls(data, query);
  });

  app.get<{ Params: { id: string } }>("/conversations/messages/:id", async ({ params }) => {
    const call = data.messages.get(params.id);
    if (!call) throw new GhlError(404, `Message with id ${params.id} not found`);
    return { message: presentLive(call) };
  });

  app.get<Recording>(
    "/conversations/messages/:messageId/locations/:locationId/recording",
    async ({ params }, reply) => {
      requireLocation(params.locationId);
      const call = data.messages.get(params.messageId);
      if (!call?.hasRecording) throw new GhlError(404, "Recording not found");
      return reply
        .header("content-type", "audio/x-wav")
        .header("content-disposition", "attachment; filename=audio.wav")
        .send(speechWav(call.id, speechSeconds(call.id)));
    },
  );
}

function exportCalls(data: CrmData, query: Record<string, string | undefined>): Record<string, unknown> {
  const limit = numberOr(query.limit, 100);
  if (limit < 10 || limit > 500) throw new GhlError(422, ["limit must be between 10 and 500"]);
  const from = query.startDate ? Date.parse(query.startDate) : Number.NEGATIVE_INFINITY;
  const to = query.endDate ? Date.parse(query.endDate) : Number.POSITIVE_INFINITY;
  const all = (query.channel === undefined || query.channel === "Call" ? newestFirst(data) : [])
    .filter((call) => !query.contactId || call.contactId === query.contactId)
    .filter((call) => !query.conversationId || call.conversationId === query.conversationId)
    .filter((call) => Date.parse(call.dateAdded) >= from && Date.parse(call.dateAdded) <= to);
  if (query.sortOrder === "asc") all.reverse();
  const last = query.cursor ? cursorId(query.cursor) : undefined;
  const start = last ? all.findIndex((call) => call.id === last) + 1 : 0;
  const page = all.slice(start, start + limit);
  const lastShown = page.at(-1);
  const more = lastShown !== undefined && start + page.length < all.length;
  return {
    messages: page.map(presentExported),
    nextCursor: more
      ? Buffer.from(
          JSON.stringify({ lastSort: [Date.parse(lastShown.dateAdded)], lastId: lastShown.id }),
        ).toString("base64")
      : null,
    total: all.length,
  };
}

function cursorId(cursor: string): string {
  try {
    return String(JSON.parse(Buffer.from(cursor, "base64").toString("utf8")).lastId);
  } catch {
    throw new GhlError(400, "cursor is invalid");
  }
}

function newestFirst(data: CrmData): CallMessage[] {
  return data.messages
    .values()
    .sort((a, b) => Date.parse(b.dateAdded) - Date.parse(a.dateAdded) || (a.id < b.id ? 1 : -1));
}

function presentMessage(call: CallMessage): Record<string, unknown> {
  return {
    id: call.id,
    type: 1,
    messageType: "TYPE_CALL",
    locationId: GHL_LOCATION_ID,
    contactId: call.contactId,
    conversationId: call.conversationId,
    dateAdded: call.dateAdded,
    direction: call.direction,
    status: call.callStatus === "completed" ? "delivered" : "undelivered",
    contentType: "text/plain",
    source: call.source,
    ...(call.userId ? { userId: call.userId } : {}),
  };
}

/** A call in the export, as documented: flat texts in `meta`. */
function presentExported(call: CallMessage): Record<string, unknown> {
  const meta = { callDuration: String(call.durationSeconds), callStatus: call.callStatus };
  return { ...presentMessage(call), attachments: [], meta };
}

/** A call in a conversation, as observed: `meta.call`, and no attachments. */
function presentLive(call: CallMessage): Record<string, unknown> {
  return {
    ...presentMessage(call),
    meta: { call: { duration: call.durationSeconds, status: call.callStatus } },
  };
}

function presentConversation(data: CrmData, conversation: Conversation): Record<string, unknown> {
  const contact = data.contacts.get(conversation.contactId);
  const name = contact ? fullName(contact) : "";
  const last = newestFirst(data).find((call) => call.conversationId === conversation.id);
  return {
    id: conversation.id,
    contactId: conversation.contactId,
    locationId: GHL_LOCATION_ID,
    lastMessageBody: "",
    lastMessageType: "TYPE_CALL",
    lastMessageDate: last ? Date.parse(last.dateAdded) : null,
    type: "TYPE_PHONE",
    unreadCount: 0,
    fullName: name,
    contactName: name,
    email: contact?.email ?? "",
    phone: contact?.phone ?? "",
  };
}
