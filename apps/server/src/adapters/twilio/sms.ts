import { z } from "zod";
import type { InboundSms, ProviderSms, SmsEvent, SmsProvider, SmsStatus } from "../../ports/sms.ts";
import type { WebhookParams } from "../../ports/telephony.ts";
import {
  createRequests,
  findOwnNumbers,
  isSignedBy,
  recordsPerPage,
  type TwilioEnv,
  toProviderError,
  unreadableAnswer,
} from "./client.ts";
import { scripts } from "./scripts.ts";
import { field } from "./transform.ts";

const messageSid = z.string().regex(/^(SM|MM)[0-9a-fA-F]{32}$/);
const smallNumber = z.coerce.number().int().min(0).max(1_000_000);
/** Twilio limits an SMS to 1600 characters, but some carriers deliver longer ones. */
const bodyMax = 10_000;

/** Twilio's statuses. `canceled` was never sent, so it is failed; `read` was delivered before. */
const statuses: Record<string, SmsStatus> = {
  accepted: "queued",
  scheduled: "queued",
  queued: "queued",
  sending: "sending",
  sent: "sent",
  delivered: "delivered",
  read: "delivered",
  partially_delivered: "delivered",
  undelivered: "undelivered",
  failed: "failed",
  canceled: "failed",
};

/** A message of the REST API, with the fields that are used. */
const restMessage = z.object({
  sid: messageSid,
  status: z.string(),
  body: z.string().nullish(),
  errorCode: z.number().nullish().catch(null),
  numSegments: smallNumber.nullish().catch(null),
  dateCreated: z.date().nullable().catch(null),
  from: z.string().nullish().catch(null),
});

function numberOf(value: string | undefined): number | null {
  const parsed = smallNumber.safeParse(value);
  return value !== undefined && parsed.success ? parsed.data : null;
}

/** The sender as a phone number; null if a Messaging Service has not chosen one yet. */
function phoneOf(value: string | null | undefined): string | null {
  return value && /^\+\d{5,15}$/.test(value) ? value : null;
}

/** How Twilio classified an SMS. With Advanced Opt-Out the account defines the keywords. */
const optOutTypes: Record<string, InboundSms["optOut"]> = { STOP: "stop", START: "start", HELP: "help" };

function sidOf(params: WebhookParams): string | null {
  const parsed = messageSid.safeParse(field(params, "MessageSid") ?? field(params, "SmsSid"));
  return parsed.success ? parsed.data : null;
}

/** Parses a message status callback. Null without a valid MessageSid. */
export function toSmsEvent(params: WebhookParams): SmsEvent | null {
  const sid = sidOf(params);
  if (!sid) return null;
  const status = field(params, "MessageStatus") ?? field(params, "SmsStatus") ?? "";
  return {
    sid,
    status: statuses[status] ?? null,
    errorCode: numberOf(field(params, "ErrorCode")),
    from: phoneOf(field(params, "From")),
  };
}

/** Parses an inbound message. Null without a valid MessageSid or a sender. */
export function toInboundSms(params: WebhookParams): InboundSms | null {
  const sid = sidOf(params);
  const from = field(params, "From")?.trim().slice(0, 64);
  if (!sid || !from) return null;
  return {
    sid,
    from,
    to: field(params, "To")?.slice(0, 64) ?? "",
    body: (field(params, "Body") ?? "").slice(0, bodyMax).toWellFormed(),
    mediaCount: numberOf(field(params, "NumMedia")) ?? 0,
    optOut: optOutTypes[field(params, "OptOutType")?.toUpperCase() ?? ""] ?? null,
  };
}

/** Parses an inbound SMS of the REST API. Throws if it has no valid sid or sender. */
function inboundSmsOf(message: unknown): InboundSms & { at: Date | null } {
  const row = restMessage
    .extend({
      from: z.string().min(1),
      to: z.string().nullish(),
      numMedia: smallNumber.nullish().catch(null),
    })
    .parse(message);
  return {
    sid: row.sid,
    from: row.from.trim().slice(0, 64),
    to: row.to?.slice(0, 64) ?? "",
    body: (row.body ?? "").slice(0, bodyMax).toWellFormed(),
    mediaCount: row.numMedia ?? 0,
    optOut: null,
    at: row.dateCreated,
  };
}

/** Parses a message of the REST API. Throws if the response has no valid sid, for example a page or a truncated response. */
export function providerSmsOf(message: unknown): ProviderSms {
  const row = restMessage.parse(message);
  return {
    sid: row.sid,
    status: statuses[row.status] ?? null,
    errorCode: row.errorCode ?? null,
    body: row.body ?? "",
    // 0 until the SMS is sent.
    segments: row.numSegments || null,
    createdAt: row.dateCreated,
    from: phoneOf(row.from),
  };
}

/** Maximum number of a number's newest SMS that are searched. */
const listLimit = 50;
/** Maximum number of SMS in both directions that are searched for inbound ones. */
const inboundLimit = 5_000;
/** Allowed difference between the provider's clock and ours. */
const clockSkewMs = 10_000;

function readInbound(message: unknown) {
  try {
    return inboundSmsOf(message);
  } catch (error) {
    throw unreadableAnswer(error);
  }
}

function readText(message: unknown) {
  try {
    return providerSmsOf(message);
  } catch (error) {
    throw unreadableAnswer(error);
  }
}

/** SMS through Twilio's Programmable Messaging. Details and sources: docs/providers/twilio.md. A request ends after `timeoutMs`. */
export function createTwilioSms(env: TwilioEnv, timeoutMs = 10_000): SmsProvider {
  const { ask } = createRequests(env, timeoutMs);
  const { messagingServiceSid } = env;
  // A Messaging Service chooses the sender from its pool, and keeps the same one for each recipient (sticky sender).
  const sender = messagingServiceSid ? { messagingServiceSid } : { from: env.phoneNumber };
  // With a Messaging Service the sender is not known yet, so the list is not filtered by it.
  const listed = messagingServiceSid ? {} : { from: env.phoneNumber };

  return {
    senderNumber: env.phoneNumber,

    sendSms: ({ to, body, statusUrl }) =>
      ask(async (twilio) =>
        readText(await twilio.messages.create({ to, ...sender, body, statusCallback: statusUrl })),
      ),

    async findSms(sid) {
      try {
        return await ask(async (twilio) => readText(await twilio.messages(sid).fetch()));
      } catch (error) {
        if (toProviderError(error).kind === "not-found") return null;
        throw error;
      }
    },

    async findSmsTo({ to, since }) {
      // No DateSent filter: a queued SMS has no such date and must be found as well.
      const found = await ask((twilio) => twilio.messages.list({ to, ...listed, limit: listLimit }));
      const oldest = since.getTime() - clockSkewMs;
      return found.map(readText).filter((text) => (text.createdAt?.getTime() ?? 0) >= oldest);
    },

    async listInbound({ since, address }) {
      const filter = { dateSentAfter: since, limit: inboundLimit, pageSize: recordsPerPage };
      const found = await ask(async (twilio) => {
        // With a Messaging Service an SMS may come to any number of its pool.
        if (messagingServiceSid) return twilio.messages.list(filter);
        const texts = [];
        for (const to of await findOwnNumbers(twilio, env, { field: "smsUrl", address }))
          texts.push(...(await twilio.messages.list({ to, ...filter })));
        return texts;
      });
      return found
        .filter(({ direction }) => direction === "inbound")
        .map(readInbound)
        .sort((a, b) => (b.at?.getTime() ?? 0) - (a.at?.getTime() ?? 0));
    },

    isSigned: (request) => isSignedBy(env, request),
    readSmsEvent: toSmsEvent,
    readInboundSms: toInboundSms,
    acknowledge: scripts.acknowledge,
  };
}
