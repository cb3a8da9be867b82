import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { TWILIO_ACCOUNT_SID, TWILIO_API_KEY_SECRET, TWILIO_API_KEY_SID } from "../defaults.ts";
import { toE164 } from "../numbers.ts";
import type { Sandbox } from "../sandbox.ts";
import type { CallEngine } from "./call-engine.ts";
import { notFound, TwilioError, twilioFailure } from "./errors.ts";
import type { Leg } from "./leg.ts";
import { messageRoutes } from "./message-routes.ts";
import { type Form, one, readNewCall, requireUrl, target } from "./new-call.ts";
import { numberRoutes } from "./number-routes.ts";
import { page, passesDate, type Query } from "./paging.ts";
import { withPrices } from "./prices.ts";
import { recordingRoutes } from "./recording-routes.ts";
import { ACCOUNT_PATH, presentAccount, presentCall } from "./resources.ts";
import { serviceRoutes } from "./service-routes.ts";

/** Twilio's REST API 2010-04-01: the account, its calls, SMS, recordings and numbers. */
export function twilioRoutes(sandbox: Sandbox) {
  const { engine, faults, account } = sandbox;
  return async (app: FastifyInstance): Promise<void> => {
    account.limit(app);
    faults.guard(app, "twilio", twilioFailure);
    app.addHook("preHandler", async (request, reply) => {
      if (!isAuthorized(request, sandbox.tokens.all())) {
        reply.header("www-authenticate", 'Basic realm="Twilio API"');
        return reply.code(401).send(twilioFailure(401, request.url));
      }
    });
    app.addHook("preSerialization", async (_request, _reply, payload) =>
      withPrices(payload, sandbox.prices, sandbox.clock.speed),
    );
    app.setNotFoundHandler((request, reply) => reply.code(404).send(twilioFailure(404, request.url)));
    app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
      if (error instanceof TwilioError) return reply.code(error.body.status).send(error.body);
      const status = error.statusCode ?? 500;
      return reply.code(status).send(twilioFailure(status, request.url));
    });

    app.get("/2010-04-01/Accounts/:account", async () => presentAccount(sandbox.tokens.primary));

    numberRoutes(app, sandbox.numbers);
    serviceRoutes(app, sandbox);
    messageRoutes(app, sandbox);
    recordingRoutes(app, sandbox);

    app.post<{ Body: Form | undefined }>(
      "/2010-04-01/Accounts/:account/Calls.json",
      async (request, reply) => {
        const { phones } = engine.exchange;
        const leg = engine.create(
          readNewCall(request.body ?? {}, { phones, numbers: sandbox.numbers, account }),
        );
        return reply.code(201).send(presentCall(leg));
      },
    );

    app.get<{ Querystring: Query }>("/2010-04-01/Accounts/:account/Calls.json", async (request) =>
      page({
        name: "calls",
        path: `${ACCOUNT_PATH}/Calls.json`,
        query: request.query,
        rows: engine.exchange.legs
          .values()
          .filter((leg) => passesFilters(leg, request.query))
          .reverse(),
        present: presentCall,
      }),
    );

    app.get<{ Params: { file: string } }>("/2010-04-01/Accounts/:account/Calls/:file", async (request) =>
      presentCall(findCall(engine, request)),
    );

    app.post<{ Params: { file: string }; Body: Form | undefined }>(
      "/2010-04-01/Accounts/:account/Calls/:file",
      async (request) => {
        const leg = findCall(engine, request);
        updateCall(engine, leg, request.body ?? {});
        return presentCall(leg);
      },
    );
  };
}

function isAuthorized(request: FastifyRequest, tokens: string[]): boolean {
  const account = (request.params as { account?: string }).account?.replace(/\.json$/, "");
  if (account !== undefined && account !== TWILIO_ACCOUNT_SID) return false;
  const given = Buffer.from(request.headers.authorization?.replace(/^Basic /i, "") ?? "", "base64");
  return [
    ...tokens.map((token) => `${TWILIO_ACCOUNT_SID}:${token}`),
    `${TWILIO_API_KEY_SID}:${TWILIO_API_KEY_SECRET}`,
  ].some((pair) => given.length === pair.length && timingSafeEqual(given, Buffer.from(pair)));
}

function findCall(engine: CallEngine, request: FastifyRequest<{ Params: { file: string } }>): Leg {
  const leg = engine.exchange.legs.get(request.params.file.replace(/\.json$/, ""));
  if (!leg) throw notFound(request.url);
  return leg;
}

function updateCall(engine: CallEngine, leg: Leg, form: Form): void {
  const status = one(form.Status);
  const url = one(form.Url);
  const twiml = one(form.Twiml);
  if (status === "completed" || status === "canceled") {
    engine.stopCall(leg, status);
  } else if (status !== undefined) {
    throw new TwilioError(400, 21218, `Invalid value for parameter Status: ${status}`);
  } else if (url !== undefined || twiml !== undefined) {
    if (url) requireUrl(url, 21205, "Url is not a valid URL: ");
    if (leg.status !== "in-progress") {
      throw new TwilioError(400, 21220, "Call is not in-progress. Cannot redirect.");
    }
    engine.redirect(leg, url ? { target: target(url, one(form.Method)) } : { twiml: twiml ?? "" });
  }
}

function passesFilters(leg: Leg, query: Query): boolean {
  if (query.To && toE164(query.To) !== leg.to) return false;
  if (query.From && toE164(query.From) !== leg.from) return false;
  if (query.ParentCallSid && query.ParentCallSid !== leg.parentSid) return false;
  if (query.Status && query.Status !== leg.status) return false;
  if (!passesDate(query, "StartTime", leg.startedAt ?? leg.createdAt)) return false;
  const asksEnd = query.EndTime || query["EndTime<"] || query["EndTime>"];
  return !asksEnd || (leg.endedAt !== null && passesDate(query, "EndTime", leg.endedAt));
}
