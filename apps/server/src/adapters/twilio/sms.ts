import { validateRequest } from "twilio/lib/webhooks/webhooks.js";
import type { SmsProvider } from "../../ports/sms.ts";
import type { TwilioEnv } from "./client.ts";
import { createRequests } from "./client.ts";
import { toProviderError, unreadableAnswer } from "./errors.ts";
import { scripts } from "./scripts.ts";
import { providerTextOf, toInboundSms, toSmsEvent } from "./transform-sms.ts";

/** Of a number's newest texts so many are looked at. */
const listLimit = 50;
/** The provider's clock may differ from ours by this much. */
const clockSkewMs = 10_000;

function readText(message: unknown) {
  try {
    return providerTextOf(message);
  } catch (error) {
    throw unreadableAnswer(error);
  }
}

/** Texts through Twilio's Programmable Messaging. Quirks and sources: docs/providers/twilio.md. A request ends after `timeoutMs`. */
export function createTwilioSms(env: TwilioEnv, timeoutMs = 10_000): SmsProvider {
  const { ask } = createRequests(env, timeoutMs);

  return {
    senderNumber: env.phoneNumber,

    sendSms: ({ to, body, statusUrl }) =>
      ask(async (twilio) =>
        readText(
          await twilio.messages.create({ to, from: env.phoneNumber, body, statusCallback: statusUrl }),
        ),
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
      const found = await ask((twilio) =>
        twilio.messages.list({ to, from: env.phoneNumber, limit: listLimit }),
      );
      const oldest = since.getTime() - clockSkewMs;
      return found.map(readText).filter((text) => (text.createdAt?.getTime() ?? 0) >= oldest);
    },

    isSigned: ({ signature, url, params }) => validateRequest(env.authToken, signature, url, params),
    readSmsEvent: toSmsEvent,
    readInboundSms: toInboundSms,
    acknowledge: scripts.acknowledge,
  };
}
