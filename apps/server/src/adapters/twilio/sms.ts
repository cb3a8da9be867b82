import type { SmsProvider } from "../../ports/sms.ts";
import { createRequests, findOwnNumbers, recordsPerPage } from "./client.ts";
import { toProviderError, unreadableAnswer } from "./errors.ts";
import type { TwilioEnv } from "./keys.ts";
import { isSignedBy } from "./keys.ts";
import { scripts } from "./scripts.ts";
import { inboundSmsOf, providerSmsOf, toInboundSms, toSmsEvent } from "./transform-sms.ts";

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
