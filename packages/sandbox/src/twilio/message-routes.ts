import type { FastifyInstance } from "fastify";
import { toE164 } from "../numbers.ts";
import type { Sandbox } from "../sandbox.ts";
import { notFound, TwilioError } from "./errors.ts";
import { type Form, masked, one, optionalTarget, requireUrl } from "./new-call.ts";
import { page, passesDate, type Query } from "./paging.ts";
import { ACCOUNT_PATH, presentSms } from "./resources.ts";
import { REFUSALS, type SmsRow } from "./sms.ts";

type ByFile = { Params: { file: string } };

const PATH = "/2010-04-01/Accounts/:account/Messages";
const MAX_LENGTH = 1_600;

/** SMS of the account: create, list, read, delete. */
export function messageRoutes(app: FastifyInstance, sandbox: Sandbox): void {
  const { texts } = sandbox;
  app.post<{ Body: Form | undefined }>(`${PATH}.json`, async (request, reply) => {
    const text = texts.send(readNewText(request.body ?? {}, sandbox));
    return reply.code(201).send(presentSms(text));
  });

  app.get<{ Querystring: Query }>(`${PATH}.json`, async ({ query }) =>
    page({
      name: "messages",
      path: `${ACCOUNT_PATH}/Messages.json`,
      query,
      rows: texts.rows
        .values()
        .filter((text) => passesFilters(text, query))
        .reverse(),
      present: presentSms,
    }),
  );

  app.get<ByFile>(`${PATH}/:file`, async (request) => presentSms(findText(request.url, request.params.file)));

  app.delete<ByFile>(`${PATH}/:file`, async (request, reply) => {
    texts.delete(findText(request.url, request.params.file));
    return reply.code(204).send();
  });

  function findText(url: string, file: string): SmsRow {
    const text = texts.rows.get(file.replace(/\.json$/, ""));
    if (!text || text.automatic) throw notFound(url);
    return text;
  }
}

/**
 * Reads and checks the form of `POST Messages.json`.
 * Errors: `TwilioError` 21211, 21408, 21602, 21603, 21604, 21606, 21609, 21610, 21612, 21614, 21617, 21701, 21703, 21712.
 */
function readNewText(form: Form, { texts, numbers, services }: Sandbox) {
  const given = one(form.To);
  const sender = one(form.From);
  const body = one(form.Body) ?? "";
  const callbackUrl = one(form.StatusCallback);
  if (!given) throw new TwilioError(400, 21604, "A 'To' phone number is required.");
  const serviceSid = one(form.MessagingServiceSid);
  if (!sender && !serviceSid) throw new TwilioError(400, 21603, "A 'From' phone number is required.");
  if (body === "") throw new TwilioError(400, 21602, "Message body is required.");
  if (body.length > MAX_LENGTH) {
    throw new TwilioError(400, 21617, "The concatenated message body exceeds the 1600 character limit");
  }
  if (callbackUrl) requireUrl(callbackUrl, 21609, "The 'StatusCallback' URL is not a valid URL: ");
  const to = toE164(given);
  if (to === null) throw new TwilioError(400, 21211, `Invalid 'To' Phone Number: ${masked(given)}`);
  const service = serviceSid ? services.find(serviceSid) : undefined;
  if (serviceSid && !service) throw new TwilioError(400, 21701, "The Messaging Service does not exist.");
  const from = sender ? toE164(sender) : service ? services.senderTo(service, to) : null;
  if (from === null && service)
    throw new TwilioError(
      400,
      21703,
      "The Messaging Service does not have a phone number available to send a message.",
    );
  if (from === null || !numbers.find(from)) {
    const message = `The 'From' phone number provided (${sender}) is not a valid message-capable Twilio phone number for this destination/account`;
    throw new TwilioError(400, 21606, message);
  }
  if (service && services.of(from)?.sid !== service.sid)
    throw new TwilioError(400, 21712, "The phone number is not in the Messaging Service.");
  const refusal = texts.refusalOf(to, service?.sid ?? from);
  if (refusal !== null) {
    const message = REFUSALS.get(refusal) ?? "";
    throw new TwilioError(400, refusal, message.endsWith(": ") ? `${message}${masked(given)}` : message);
  }
  return { to, from, body, serviceSid: service?.sid ?? null, callback: optionalTarget(callbackUrl, "POST") };
}

function passesFilters(text: SmsRow, query: Query): boolean {
  if (text.automatic) return false;
  if (query.To && toE164(query.To) !== text.to) return false;
  if (query.From && toE164(query.From) !== text.from) return false;
  return passesDate(query, "DateSent", text.sentAt ?? text.createdAt);
}
