import { numberOr } from "../number-or.ts";
import { toE164 } from "../numbers.ts";
import type { Account } from "./account.ts";
import type { AccountNumbers } from "./account-numbers.ts";
import type { NewCall } from "./call-engine.ts";
import { eventsOf } from "./dial.ts";
import { TwilioError } from "./errors.ts";
import type { Target } from "./leg.ts";
import type { Phones } from "./phones.ts";
import { methodOf } from "./speech.ts";

export type Form = Record<string, string | string[] | undefined>;

/**
 * Reads and checks the form of `POST Calls.json`.
 * Errors: `TwilioError` 21201, 21205, 21210, 21211, 21212, 21213, 21215, 21219, 21609.
 */
export function readNewCall(
  form: Form,
  { phones, numbers, account }: { phones: Phones; numbers: AccountNumbers; account: Account },
): NewCall {
  const twiml = one(form.Twiml);
  const url = one(form.Url);
  if (!url && !twiml) throw new TwilioError(400, 21205, "Url parameter is required.");
  if (url) requireUrl(url, 21205, "Url is not a valid URL: ");
  const callbackUrl = one(form.StatusCallback);
  if (callbackUrl) requireUrl(callbackUrl, 21609, "StatusCallback URL is not a valid URL: ");
  const events = [form.StatusCallbackEvent ?? "completed"].flat().flatMap((value) => value.split(/[\s,]+/));
  const detection = one(form.MachineDetection);
  const detectionUrl = one(form.AsyncAmdStatusCallback);
  return {
    to: readTo(one(form.To), phones, account),
    from: readFrom(one(form.From), numbers),
    document: url ? target(url, one(form.Method)) : null,
    twiml: url ? null : (twiml ?? null),
    fallback: optionalTarget(one(form.FallbackUrl), one(form.FallbackMethod)),
    callback: callbackUrl
      ? { ...target(callbackUrl, one(form.StatusCallbackMethod)), events: eventsOf(events) }
      : null,
    ringSeconds: Math.min(600, Math.max(1, numberOr(one(form.Timeout), 60))),
    timeLimitSeconds: numberOr(one(form.TimeLimit), 14_400),
    machineDetection:
      detection === "Enable" || detection === "DetectMessageEnd"
        ? {
            mode: detection,
            async: one(form.AsyncAmd) === "true",
            callback: optionalTarget(detectionUrl, one(form.AsyncAmdStatusCallbackMethod)),
          }
        : null,
  };
}

/** The last value of a form field. */
export function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.at(-1) : value;
}

export function target(url: string, method: string | undefined): Target {
  return { url, method: methodOf(method) };
}

/** Errors: `TwilioError` with `code` for a text that is not an absolute http(s) URL. */
export function requireUrl(url: string, code: number, message: string): void {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw new TwilioError(400, code, `${message}${url}`);
}

export function optionalTarget(url: string | undefined, method: string | undefined): Target | null {
  return url ? target(url, method) : null;
}

function readTo(to: string | undefined, phones: Phones, account: Account): string {
  if (!to) throw new TwilioError(400, 21201, "No 'To' number is specified");
  const number = toE164(to);
  if (number === null || phones.isInvalid(number)) {
    throw new TwilioError(400, 21211, `Invalid 'To' Phone Number: ${masked(to)}`);
  }
  const refusal = account.refusalOf(number);
  if (refusal) throw new TwilioError(400, refusal.code, refusal.message);
  return number;
}

function readFrom(from: string | undefined, numbers: AccountNumbers): string {
  if (!from) throw new TwilioError(400, 21213, "No 'From' number is specified");
  const number = toE164(from);
  if (number === null) {
    throw new TwilioError(
      400,
      21212,
      `The source phone number provided, ${from}, is not a valid phone number.`,
    );
  }
  if (!numbers.find(number)) {
    throw new TwilioError(
      400,
      21210,
      `The source phone number provided, ${from}, is not yet verified for your account. You may only make calls from phone numbers that you've verified or purchased from Twilio.`,
    );
  }
  return number;
}

export function masked(number: string): string {
  return number.length > 4 ? `${number.slice(0, -4)}XXXX` : number;
}
