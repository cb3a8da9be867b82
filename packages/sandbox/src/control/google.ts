import type { FastifyInstance } from "fastify";
import type { MeetMode } from "../google/entities.ts";
import { deleteEvent, insertEvent, patchEvent, type WriteBody } from "../google/event-writes.ts";
import type { Sandbox } from "../sandbox.ts";
import { bodyOf, ControlError, numberIn, textIn } from "./input.ts";

type ById = { Params: { id: string }; Querystring: { account?: string } };

const GENERATE_LIMIT = 20_000;
const HOUR_MS = 3_600_000;
const MEET_MODES = ["success", "pending", "failure"];

/** Changes of calendars as made by their owners in Google itself. */
export function googleControl(app: FastifyInstance, sandbox: Sandbox): void {
  const { google: data } = sandbox;

  app.get<ById>("/control/google/events", async ({ query }) => ({
    events: data.events(accountOf(query.account)).map(({ event }) => event),
  }));

  app.post("/control/google/events", async (request, reply) => {
    const { account, ...body } = bodyOf(request);
    const event = insertEvent({ data, account: accountOf(account), body, withConference: true });
    return reply.code(201).send(event);
  });

  app.patch<ById>("/control/google/events/:id", async (request) => {
    const { account, ...body } = bodyOf(request);
    const write = { data, account: accountOf(account), body, withConference: true };
    return patchEvent(request.params.id, undefined, write);
  });

  app.delete<ById>("/control/google/events/:id", async ({ params, query }) => {
    deleteEvent(data, accountOf(query.account), params.id);
    return { removed: true };
  });

  app.post("/control/google/generate", async (request) => {
    const body = bodyOf(request);
    const count = numberIn(body, "count", 0);
    if (!Number.isInteger(count) || count > GENERATE_LIMIT)
      throw new ControlError(`count must be a whole number up to ${GENERATE_LIMIT}`);
    const account = accountOf(body.account);
    const from = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
    sandbox.store.transaction(() => {
      for (let index = 0; index < count; index += 1)
        insertEvent({ data, account, body: generated(index, from), withConference: false });
    });
    return { total: data.events(account).length };
  });

  app.get("/control/google/grants", async () => ({
    grants: data.grants().map(({ refreshToken, ...grant }) => ({ ...grant, offline: refreshToken !== null })),
  }));

  app.post("/control/google/revoke", async (request) => ({
    revoked: data.revokeAccount(accountOf(bodyOf(request).account)),
  }));

  app.post("/control/google/expire", async (request) => {
    const what = textIn(bodyOf(request), "what");
    if (what === "sync") data.expireSyncTokens();
    else if (what === "access") data.expireAccessTokens();
    else throw new ControlError("what must be sync or access");
    return { expired: what };
  });

  app.post("/control/google/api", async (request) => {
    data.apiEnabled = flagIn(bodyOf(request), "enabled");
    sandbox.changed();
    return { enabled: data.apiEnabled };
  });

  app.post("/control/google/domain-policy", async (request) => {
    const body = bodyOf(request);
    const domain = textIn(body, "domain")?.toLowerCase();
    if (!domain) throw new ControlError("domain must be a domain");
    if (flagIn(body, "closed")) data.closedDomains.add(domain);
    else data.closedDomains.delete(domain);
    return { closed: [...data.closedDomains] };
  });

  app.post("/control/google/meet", async (request) => {
    const mode = textIn(bodyOf(request), "mode");
    if (!mode || !MEET_MODES.includes(mode))
      throw new ControlError(`mode must be one of ${MEET_MODES.join(", ")}`);
    data.meetMode = mode as MeetMode;
    return { mode, settled: mode === "success" ? data.settleConferences() : 0 };
  });
}

/** Events of half an hour, one every two hours. */
function generated(index: number, from: number): WriteBody {
  const start = from + index * 2 * HOUR_MS;
  const time = (ms: number) => ({ dateTime: new Date(ms).toISOString(), timeZone: "UTC" });
  return { summary: `Appointment ${index + 1}`, start: time(start), end: time(start + HOUR_MS / 2) };
}

function flagIn(body: Record<string, unknown>, name: string): boolean {
  const value = body[name];
  if (typeof value !== "boolean") throw new ControlError(`${name} must be true or false`);
  return value;
}

function accountOf(account: unknown): string {
  if (typeof account !== "string" || account === "") throw new ControlError("account must be an address");
  return account.toLowerCase();
}
