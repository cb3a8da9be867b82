import type { FastifyInstance } from "fastify";
import type { AccountNumber, AccountNumbers, NumberSettings } from "./account-numbers.ts";
import { notFound } from "./errors.ts";
import { type Form, one, requireUrl } from "./new-call.ts";
import { page, type Query } from "./paging.ts";
import { ACCOUNT_PATH, presentNumber } from "./resources.ts";
import { methodOf } from "./speech.ts";

type ByFile = { Params: { file: string } };

const PATH = "/2010-04-01/Accounts/:account/IncomingPhoneNumbers";
const URLS = {
  VoiceUrl: "voiceUrl",
  VoiceFallbackUrl: "voiceFallbackUrl",
  SmsUrl: "smsUrl",
  SmsFallbackUrl: "smsFallbackUrl",
  StatusCallback: "statusCallback",
} as const;
const METHODS = {
  VoiceMethod: "voiceMethod",
  VoiceFallbackMethod: "voiceFallbackMethod",
  SmsMethod: "smsMethod",
  SmsFallbackMethod: "smsFallbackMethod",
  StatusCallbackMethod: "statusCallbackMethod",
} as const;
const SIDS = {
  VoiceApplicationSid: "voiceApplicationSid",
  SmsApplicationSid: "smsApplicationSid",
  TrunkSid: "trunkSid",
} as const;

/** The account's numbers and their webhook addresses. */
export function numberRoutes(app: FastifyInstance, numbers: AccountNumbers): void {
  app.get<{ Querystring: Query }>(`${PATH}.json`, async (request) =>
    page({
      name: "incoming_phone_numbers",
      path: `${ACCOUNT_PATH}/IncomingPhoneNumbers.json`,
      query: request.query,
      rows: numbers.list().filter(({ phoneNumber }) => phoneNumber.includes(request.query.PhoneNumber ?? "")),
      present: presentNumber,
    }),
  );

  app.get<ByFile>(`${PATH}/:file`, async (request) => presentNumber(find(request.url, request.params.file)));

  app.post<ByFile & { Body: Form | undefined }>(`${PATH}/:file`, async (request) => {
    const { sid } = find(request.url, request.params.file);
    numbers.update(sid, readSettings(request.body ?? {}));
    return presentNumber(find(request.url, request.params.file));
  });

  function find(url: string, file: string): AccountNumber {
    const found = numbers.list().find(({ sid }) => file === `${sid}.json`);
    if (!found) throw notFound(url);
    return found;
  }
}

/** Only the given settings; an empty URL or sid removes it. Errors: `TwilioError` 21502. */
function readSettings(form: Form): Partial<NumberSettings> {
  const changes: Partial<NumberSettings> = {};
  for (const [field, name] of Object.entries(URLS)) {
    const url = one(form[field]);
    if (url === undefined) continue;
    if (url !== "") requireUrl(url, 21502, `${field} is not a valid URL: `);
    changes[name] = url;
  }
  for (const [field, name] of Object.entries(METHODS)) {
    const method = one(form[field]);
    if (method !== undefined) changes[name] = methodOf(method);
  }
  for (const [field, name] of Object.entries(SIDS)) {
    const sid = one(form[field]);
    if (sid !== undefined) changes[name] = sid;
  }
  return changes;
}
