import { z } from "zod";
import type { TelephonyProbe } from "../../ports/probe.ts";
import { createRequests } from "./client.ts";
import { unreadableAnswer } from "./errors.ts";
import type { TwilioEnv } from "./keys.ts";

const timeoutMs = 6_000;

const address = z
  .string()
  .nullish()
  .transform((url) => url || null);
/** The fields we read of https://www.twilio.com/docs/phone-numbers/api/incomingphonenumber-resource */
const numberSchema = z.object({
  voiceUrl: address,
  smsUrl: address,
  statusCallback: address,
  // Where one of these is set the addresses above are not asked.
  voiceApplicationSid: address,
  smsApplicationSid: address,
  trunkSid: address,
});

/** Reads the system number: of all resources it is one that standard API keys may read, and it says where webhooks go. */
export function createTwilioProbe(env: TwilioEnv): TelephonyProbe {
  const { ask } = createRequests(env, timeoutMs);
  return {
    baseUrl: env.baseUrl,
    callsPerSecond: env.callsPerSecond,
    async probe() {
      const [found] = await ask((twilio) =>
        twilio.incomingPhoneNumbers.list({ phoneNumber: env.phoneNumber, limit: 1 }),
      );
      if (!found) return null;
      const read = numberSchema.safeParse(found);
      if (!read.success) throw unreadableAnswer(read.error);
      const { voiceUrl, smsUrl, statusCallback, voiceApplicationSid, smsApplicationSid, trunkSid } =
        read.data;
      const asksVoice = !voiceApplicationSid && !trunkSid;
      return {
        voiceUrl: asksVoice ? voiceUrl : null,
        textUrl: smsApplicationSid ? null : smsUrl,
        statusUrl: asksVoice ? statusCallback : null,
      };
    },
  };
}
