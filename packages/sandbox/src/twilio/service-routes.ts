import type { FastifyInstance } from "fastify";
import { TWILIO_ACCOUNT_SID } from "../defaults.ts";
import type { AccountNumber, AccountNumbers } from "./account-numbers.ts";
import { notFound, TwilioError } from "./errors.ts";
import type { MessagingServices, ServiceRow, ServiceSettings } from "./messaging-services.ts";
import { type Form, one, requireUrl } from "./new-call.ts";
import { methodOf } from "./speech.ts";

const HOST = "https://messaging.twilio.com";
const iso = (time: number) => new Date(time).toISOString().replace(/\.\d+Z$/, "Z");

/** Messaging Services and their senders (twilio.com/docs/messaging/api), instead of `https://messaging.twilio.com`. */
export function serviceRoutes(
  app: FastifyInstance,
  { services, numbers }: { services: MessagingServices; numbers: AccountNumbers },
): void {
  type BySid = { Params: { sid: string }; Body: Form | undefined };

  app.get("/v1/Services", async () =>
    listed("services", "/v1/Services", services.list().map(presentService)),
  );

  app.post<{ Body: Form | undefined }>("/v1/Services", async (request, reply) =>
    reply.code(201).send(presentService(services.create(readSettings(request.body ?? {})))),
  );

  app.get<BySid>("/v1/Services/:sid", async (request) => presentService(find(request)));

  app.post<BySid>("/v1/Services/:sid", async (request) =>
    presentService(services.update(find(request), readSettings(request.body ?? {}))),
  );

  app.get<BySid>("/v1/Services/:sid/PhoneNumbers", async (request) => {
    const service = find(request);
    const pool = service.numberSids.flatMap((sid) => numbers.find(sid) ?? []);
    return listed(
      "phone_numbers",
      `/v1/Services/${service.sid}/PhoneNumbers`,
      pool.map((number) => presentSender(service, number)),
    );
  });

  app.post<BySid>("/v1/Services/:sid/PhoneNumbers", async (request, reply) => {
    const service = find(request);
    const number = numbers.find(one(request.body?.PhoneNumberSid) ?? "");
    if (!number) throw new TwilioError(404, 20404, "The phone number was not found");
    const holder = services.of(number.phoneNumber);
    if (holder) throw new TwilioError(409, 21710, "Phone Number is already in a Messaging Service.");
    services.update(service, { numberSids: [...service.numberSids, number.sid] });
    return reply.code(201).send(presentSender(service, number));
  });

  app.delete<{ Params: { sid: string; number: string } }>(
    "/v1/Services/:sid/PhoneNumbers/:number",
    async (request, reply) => {
      const service = find(request);
      const numberSids = service.numberSids.filter((sid) => sid !== request.params.number);
      services.update(service, { numberSids });
      return reply.code(204).send();
    },
  );

  function find(request: { url: string; params: { sid: string } }): ServiceRow {
    const service = services.find(request.params.sid);
    if (!service) throw notFound(request.url);
    return service;
  }
}

/** A list in the format of Twilio's newer APIs; here always one page. */
function listed(key: string, path: string, rows: Record<string, unknown>[]): Record<string, unknown> {
  const url = `${HOST}${path}?PageSize=50&Page=0`;
  const meta = { page: 0, page_size: 50, first_page_url: url, previous_page_url: null, url };
  return { [key]: rows, meta: { ...meta, next_page_url: null, key } };
}

function readSettings(form: Form): Partial<ServiceSettings> {
  const changes: Partial<ServiceSettings> = {};
  const name = one(form.FriendlyName);
  if (name !== undefined) changes.friendlyName = name;
  for (const [field, setting] of [
    ["InboundRequestUrl", "inboundRequestUrl"],
    ["FallbackUrl", "fallbackUrl"],
    ["StatusCallback", "statusCallback"],
  ] as const) {
    const url = one(form[field]);
    if (url === undefined) continue;
    if (url !== "") requireUrl(url, 20001, `${field} is not a valid URL: `);
    changes[setting] = url || null;
  }
  const inboundMethod = one(form.InboundMethod);
  if (inboundMethod !== undefined) changes.inboundMethod = methodOf(inboundMethod);
  const fallbackMethod = one(form.FallbackMethod);
  if (fallbackMethod !== undefined) changes.fallbackMethod = methodOf(fallbackMethod);
  const sticky = one(form.StickySender);
  if (sticky !== undefined) changes.stickySender = sticky === "true";
  const onNumber = one(form.UseInboundWebhookOnNumber);
  if (onNumber !== undefined) changes.useInboundWebhookOnNumber = onNumber === "true";
  return changes;
}

function presentService(row: ServiceRow): Record<string, unknown> {
  const url = `${HOST}/v1/Services/${row.sid}`;
  return {
    sid: row.sid,
    account_sid: TWILIO_ACCOUNT_SID,
    friendly_name: row.friendlyName,
    date_created: iso(row.createdAt),
    date_updated: iso(row.updatedAt),
    inbound_request_url: row.inboundRequestUrl,
    inbound_method: row.inboundMethod,
    fallback_url: row.fallbackUrl,
    fallback_method: row.fallbackMethod,
    status_callback: row.statusCallback,
    sticky_sender: row.stickySender,
    mms_converter: true,
    smart_encoding: true,
    scan_message_content: "inherit",
    fallback_to_long_code: false,
    area_code_geomatch: false,
    synchronous_validation: false,
    validity_period: 36_000,
    url,
    links: { phone_numbers: `${url}/PhoneNumbers` },
    usecase: "undeclared",
    us_app_to_person_registered: false,
    use_inbound_webhook_on_number: row.useInboundWebhookOnNumber,
  };
}

function presentSender(service: ServiceRow, number: AccountNumber): Record<string, unknown> {
  return {
    sid: number.sid,
    account_sid: TWILIO_ACCOUNT_SID,
    service_sid: service.sid,
    date_created: iso(service.createdAt),
    date_updated: iso(service.updatedAt),
    phone_number: number.phoneNumber,
    country_code: "US",
    capabilities: ["SMS", "Voice"],
    url: `${HOST}/v1/Services/${service.sid}/PhoneNumbers/${number.sid}`,
  };
}
