import type { FastifyInstance } from "fastify";
import { notFound } from "./errors.ts";
import { type Form, one, requireUrl } from "./new-call.ts";
import { page, type Query } from "./paging.ts";
import { ACCOUNT_PATH, NUMBER_SID, presentNumber } from "./resources.ts";
import { methodOf } from "./speech.ts";
import type { NumberSettings, SystemNumber } from "./system-number.ts";

type ByFile = { Params: { file: string } };

const PATH = "/2010-04-01/Accounts/:account/IncomingPhoneNumbers";
const URLS = {
  VoiceUrl: "voiceUrl",
  VoiceFallbackUrl: "voiceFallbackUrl",
  SmsUrl: "smsUrl",
  StatusCallback: "statusCallback",
} as const;
const METHODS = {
  VoiceMethod: "voiceMethod",
  VoiceFallbackMethod: "voiceFallbackMethod",
  SmsMethod: "smsMethod",
  StatusCallbackMethod: "statusCallbackMethod",
} as const;

/** The account's number and where its calls and texts are sent. */
export function numberRoutes(app: FastifyInstance, number: SystemNumber): void {
  app.get<{ Querystring: Query }>(`${PATH}.json`, async (request) =>
    page({
      name: "incoming_phone_numbers",
      path: `${ACCOUNT_PATH}/IncomingPhoneNumbers.json`,
      query: request.query,
      rows: [presentNumber(number.settings)].filter(({ phone_number }) =>
        String(phone_number).includes(request.query.PhoneNumber ?? ""),
      ),
      present: (row) => row,
    }),
  );

  app.get<ByFile>(`${PATH}/:file`, async (request) => {
    if (request.params.file !== `${NUMBER_SID}.json`) throw notFound(request.url);
    return presentNumber(number.settings);
  });

  app.post<ByFile & { Body: Form | undefined }>(`${PATH}/:file`, async (request) => {
    if (request.params.file !== `${NUMBER_SID}.json`) throw notFound(request.url);
    number.update(readSettings(request.body ?? {}));
    return presentNumber(number.settings);
  });
}

/** The given settings alone; an empty URL takes the webhook away. Errors: `TwilioError` 21502. */
function readSettings(form: Form): Partial<NumberSettings> {
  const changes: Partial<NumberSettings> = {};
  for (const [field, name] of Object.entries(URLS) as [
    keyof typeof URLS,
    (typeof URLS)[keyof typeof URLS],
  ][]) {
    const url = one(form[field]);
    if (url === undefined) continue;
    if (url !== "") requireUrl(url, 21502, `${field} is not a valid URL: `);
    changes[name] = url;
  }
  for (const [field, name] of Object.entries(METHODS) as [
    keyof typeof METHODS,
    (typeof METHODS)[keyof typeof METHODS],
  ][]) {
    const method = one(form[field]);
    if (method !== undefined) changes[name] = methodOf(method);
  }
  return changes;
}
