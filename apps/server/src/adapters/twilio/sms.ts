import type { SmsProvider } from "../../ports/sms.ts";
import { createRequests, findOwnNumbers, recordsPerPage } from "./client.ts";
import { toProviderError, unreadableAnswer } from "./errors.ts";
import type { TwilioEnv } from "./keys.ts";
import { isSignedBy } from "./keys.ts";
import { scripts } from "./scripts.ts";
import { inboundSmsOf, providerSmsOf, toInboundSms, toSmsEvent } from "./transform-sms.ts";

/** Of a number's newest texts so many are looked at. */
const listLimit = 50;
/** So many texts of both directions are looked at for those that came in. */
const inboundLimit = 5_000;
/** The provider's clock may differ from ours by this much. */
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

/** Texts through Twilio's Programmable Messaging. Quirks and sources: docs/providers/twilio.md. A request ends after `timeoutMs`. */
export function createTwilioSms(env: TwilioEnv, timeoutMs = 10_000): SmsProvider {
  const { ask } = createRequests(env, timeoutMs);
  const { messagingServiceSid } = env;
  // A service chooses the sender from its pool, and keeps to the one whom a person knows (sticky sender).
  const sender = messagingServiceSid ? { messagingServiceSid } : { from: env.phoneNumber };
  // The list is filtered by sender alone: which of the pool sent, nobody knows yet.
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
      // No DateSent filter: a text that still queues has none, and must be found as well.
      const found = await ask((twilio) => twilio.messages.list({ to, ...listed, limit: listLimit }));
      const oldest = since.getTime() - clockSkewMs;
      return found.map(readText).filter((text) => (text.createdAt?.getTime() ?? 0) >= oldest);
    },

    async listInbound({ since, address }) {
      const filter = { dateSentAfter: since, limit: inboundLimit, pageSize: recordsPerPage };
      const found = await ask(async (twilio) => {
        // With a service people write to any number of its pool.
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
