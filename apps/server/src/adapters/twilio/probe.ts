import type { Twilio } from "twilio";
import { z } from "zod";
import {
  type NumberSettings,
  numberFields,
  type ServiceSettings,
  type TelephonyProbe,
} from "../../ports/probe.ts";
import { createRequests, numberMissing, recordsPerPage, type TwilioEnv, unreadableAnswer } from "./client.ts";

import { askFallback } from "./fallback.ts";

const timeoutMs = 6_000;
/** Numbers are searched by a part of the number; these are the maximum results, and the maximum senders of a pool. */
const numbersMax = 20;
const sendersMax = 400;
const accountNumbersMax = 1_000;

/** A setting that is not set is null or ''. */
const setting = z
  .string()
  .nullish()
  .transform((value) => value ?? "");
/** The fields that are used of https://www.twilio.com/docs/phone-numbers/api/incomingphonenumber-resource */
const numberSchema = z.object({
  sid: z.string().regex(/^PN[0-9a-f]{32}$/i),
  ...(Object.fromEntries(numberFields.map((field) => [field, setting])) as Record<
    keyof NumberSettings,
    typeof setting
  >),
});
/** From https://www.twilio.com/docs/messaging/api/service-resource */
const serviceSchema = z.object({
  inboundRequestUrl: setting,
  inboundMethod: setting,
  useInboundWebhookOnNumber: z
    .boolean()
    .nullish()
    .transform((value) => value === true),
});

function readAs<T>(schema: z.ZodType<T>, answer: unknown): T {
  const read = schema.safeParse(answer);
  if (!read.success) throw unreadableAnswer(read.error);
  return read.data;
}

/** Reads and changes the system number. Standard API keys may access this resource, and it shows where webhooks go. */
export function createTwilioProbe(env: TwilioEnv): TelephonyProbe {
  const { ask } = createRequests(env, timeoutMs);
  const { messagingServiceSid } = env;

  async function findNumber(twilio: Twilio) {
    const found = await twilio.incomingPhoneNumbers.list({ phoneNumber: env.phoneNumber, limit: numbersMax });
    const ours = found.find(({ phoneNumber }) => phoneNumber === env.phoneNumber);
    return ours ? readAs(numberSchema, ours) : null;
  }

  return {
    baseUrl: env.baseUrl,
    number: env.phoneNumber,
    callsPerSecond: env.callsPerSecond,
    callFallbackUrl: env.callFallbackUrl,
    numberFallbackUrl: env.numberFallbackUrl,
    usesService: messagingServiceSid !== null,

    askFallback: (address, params) => askFallback(env, address, params),

    readNumber: () =>
      ask(async (twilio) => {
        const found = await findNumber(twilio);
        if (!found) return null;
        const { sid: _sid, ...settings } = found;
        return settings;
      }),

    changeNumber: (changes) =>
      ask(async (twilio) => {
        const found = await findNumber(twilio);
        if (!found) throw numberMissing();
        await twilio.incomingPhoneNumbers(found.sid).update(changes);
      }),

    readService: () =>
      ask(async (twilio): Promise<ServiceSettings | null> => {
        if (messagingServiceSid === null) return null;
        const service = twilio.messaging.v1.services(messagingServiceSid);
        const settings = readAs(serviceSchema, await service.fetch());
        const senders = await service.phoneNumbers.list({ limit: sendersMax });
        const others = senders.filter(({ phoneNumber }) => phoneNumber !== env.phoneNumber);
        return { ...settings, senders: senders.length, otherSenders: others.length };
      }),

    readPool: () =>
      ask(async (twilio) => {
        if (messagingServiceSid === null) return [];
        const pool = twilio.messaging.v1.services(messagingServiceSid).phoneNumbers;
        const senders = await pool.list({ limit: sendersMax });
        const others = new Set(
          senders.filter(({ phoneNumber }) => phoneNumber !== env.phoneNumber).map(({ sid }) => sid),
        );
        if (others.size === 0) return [];
        const all = await twilio.incomingPhoneNumbers.list({
          limit: accountNumbersMax,
          pageSize: recordsPerPage,
        });
        return all
          .filter(({ sid }) => others.has(sid))
          .map((each) => {
            const { sid, ...settings } = readAs(numberSchema, each);
            return { sid, settings };
          });
      }),

    changeService: (changes) =>
      ask(async (twilio) => {
        if (messagingServiceSid !== null)
          await twilio.messaging.v1.services(messagingServiceSid).update(changes);
      }),
  };
}
