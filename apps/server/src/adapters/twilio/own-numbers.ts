import type { Twilio } from "twilio";
import type { TwilioEnv } from "./keys.ts";

/** An answer of so many calls, texts or numbers stays far below what is read of one: a call has 2 kB, a text up to 10. */
export const recordsPerPage = 100;
const numbersMax = 1_000;

/** A restricted API key may not list the account's numbers. */
const isForbidden = (error: unknown): boolean =>
  [401, 403].includes((error as { status?: number }).status ?? 0);

/**
 * The system number, and the account's other numbers that send their calls, or texts, to an address of ours; the former alone where the key may not
 * list them.
 */
export async function findOwnNumbers(
  twilio: Twilio,
  { phoneNumber }: Pick<TwilioEnv, "phoneNumber">,
  leadsTo: { field: "voiceUrl" | "smsUrl"; address: string },
): Promise<string[]> {
  const all = await twilio.incomingPhoneNumbers
    .list({ limit: numbersMax, pageSize: recordsPerPage })
    .catch((error: unknown) => {
      if (isForbidden(error)) return [];
      throw error;
    });
  const ours = all.filter((number) => number[leadsTo.field]?.split("#", 1)[0] === leadsTo.address);
  return [...new Set([phoneNumber, ...ours.map((number) => number.phoneNumber)])];
}
