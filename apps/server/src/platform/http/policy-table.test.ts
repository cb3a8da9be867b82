import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildLead } from "../../testing/factories.ts";
import { buildTestApp, type Client, type Reply, type TestApp } from "../../testing/test-app.ts";
import { type Policy, policyTable, type Scope } from "./policy-table.ts";

const rows = Object.entries(policyTable).map(([route, policy]) => {
  const [method = "", path = ""] = route.split(" ");
  return { route, method: method as "GET" | "POST" | "PATCH" | "DELETE", path, ...policy };
});
type Row = (typeof rows)[number];
const having = (fits: (policy: Policy) => boolean) =>
  rows.filter(fits).map((row) => [row.route, row] as const);

let portal: TestApp;
let owner: Client;
let other: Client;
/** A consultant with nothing of their own, like `other` at the start. */
let third: Client;
/** The consultant to whom leads are assigned. */
let receiver: Client;
let admin: Client;
const keys = new Map<string, string>();

beforeAll(async () => {
  portal = await buildTestApp({
    env: { OIDC_ISSUER: "http://127.0.0.1:9", OIDC_CLIENT_ID: "portal", OIDC_CLIENT_SECRET: "a-secret" },
  });
  [owner, other, third, receiver, admin] = [
    await portal.signIn({ name: "Same Name" }),
    await portal.signIn({ name: "Same Name" }),
    await portal.signIn({ name: "Same Name" }),
    await portal.signIn({ name: "Same Name" }),
    await portal.signIn({ role: "admin" }),
  ];
  const { body: sources } = await admin.get("/api/webhook-sources");
  for (const { source } of sources) {
    const { body } = await admin.post(`/api/webhook-sources/${source}/key`);
    keys.set(source, body.key);
  }
});
afterAll(() => portal.close());

const ask = (
  as: Client | null,
  row: Row,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
) => portal.request(row.method, path, { ...(as && { cookie: as.cookie }), ...(body && { body }), headers });

/** An address of the route with ids that do not exist. */
const anyAddress = ({ path }: Row) =>
  path
    .replace(":recordingSid", `RE${"0".repeat(32)}`)
    .replace(":source", "lead")
    .replace(":integration", "twilio")
    .replace(":step", "a2p_registration")
    .replaceAll(/:\w+/g, "987654");

/** One consultant's data, created again for each request, so that no request finds what another one left. */
async function thingsOf({ user }: Client) {
  const { database } = portal.deps;
  const insert = async (sql: string, values: unknown[]): Promise<number> =>
    (await database.pool.query<{ id: number }>(`${sql} returning id`, values)).rows[0]?.id ?? 0;
  await database.pool.query("update calls set state = 'ended', settled = true where state <> 'ended'");
  await database.pool.query("update dialer_sessions set status = 'completed' where user_id = $1", [user.id]);
  const lead = await buildLead(database, {
    phone: `(305) 555-${String(1000 + Math.floor(Math.random() * 8999))}`,
    assignedTo: user.id,
    aiRecordingMessageId: "message-of-the-walk",
    nextFollowUpDate: new Date(),
  });
  const callSid = `CA${randomBytes(16).toString("hex")}`;
  const recordingSid = `RE${randomBytes(16).toString("hex")}`;
  const call = await insert(
    `insert into calls (lead_id, user_id, rep_number, rep_line, lead_number, press_one, call_sid, asked_at)
     values ($1, $2, '+13055550101', 'personal', $3, true, $4, now())`,
    [lead.id, user.id, lead.phoneE164, callSid],
  );
  const inbound = await insert(
    `insert into inbound_calls (call_sid, from_number, lead_id, owner_id, stage, result, ended_at)
     values ($1, $2, $3, $4, 'ended', 'missed', now())`,
    [`CA${randomBytes(16).toString("hex")}`, lead.phoneE164, lead.id, user.id],
  );
  const taken = await insert(
    `insert into inbound_calls (call_sid, from_number, lead_id, owner_id, taken_by, stage, result, ended_at)
     values ($1, $2, $3, $4, $4, 'ended', 'answered', now())`,
    [`CA${randomBytes(16).toString("hex")}`, lead.phoneE164, lead.id, user.id],
  );
  const missed = await insert(
    `insert into call_logs (lead_id, user_id, confirmed, direction, call_type, duration_seconds, inbound_call_id)
     values ($1, $2, false, 'inbound', 'inbound', 0, $3)`,
    [lead.id, user.id, inbound],
  );
  await insert(
    `insert into messages (lead_id, direction, body, status, from_number, to_number)
     values ($1, 'inbound', 'Hello', 'received', $2, '+12125550100')`,
    [lead.id, lead.phoneE164],
  );
  await insert("insert into crm_outbox (lead_id, field, user_id, state) values ($1, 'notes', $2, 'failed')", [
    lead.id,
    user.id,
  ]);
  await insert(
    `insert into recordings (recording_sid, call_sid, lead_id, user_id, status, duration_seconds)
     values ($1, $2, $3, $4, 'completed', 12)`,
    [recordingSid, callSid, lead.id, user.id],
  );
  const meeting = await insert(
    `insert into meetings (user_id, lead_id, title, starts_at, ends_at, time_zone, calendar_type)
     values ($1, $2, 'Walk', now() + interval '1 day', now() + interval '25 hours', 'America/New_York', 'local')`,
    [user.id, lead.id],
  );
  const session = await insert(
    `insert into dialer_sessions (user_id, status, phase, total, delay_seconds, "order", source)
     values ($1, 'paused', 'waiting', 1, 5, 'createdAt', '{"filter":{}}')`,
    [user.id],
  );
  await database.pool.query("insert into dialer_items (session_id, position, lead_id) values ($1, 0, $2)", [
    session,
    lead.id,
  ]);
  const file = await insert(
    "insert into imports (user_id, source_system, state, total) values ($1, 'CSV Import', 'done', 0)",
    [user.id],
  );
  const text = await insert(
    `insert into messages (direction, body, status, from_number, to_number) values ('inbound', 'Hello', 'received', $1, '+12125550100')`,
    [`+1786555${String(Math.floor(Math.random() * 9999)).padStart(4, "0")}`],
  );
  const signedIn = await insert(
    "insert into sessions (user_id, token, expires_at) values ($1, $2, now() + interval '1 hour')",
    [user.id, randomUUID()],
  );
  const template = await insert("insert into sms_templates (user_id) values ($1)", [user.id]);
  await insert(
    "insert into sms_template_versions (template_id, version, name, en) values ($1, 1, 'Walk', 'Walk')",
    [template],
  );
  const recorded = await insert(
    `insert into voicemail_messages (user_id, name, language, format, seconds, sound, token, is_default)
     values ($1, 'Walk', 'en', 'wav', 1, 'walk', $2, false)`,
    [user.id, randomUUID()],
  );
  const scheduled = await insert(
    `insert into scheduled_sms (lead_id, user_id, owner_id, body, send_at, time_zone, since, client_ref, next_at)
     values ($1, $2, $2, 'Later', now() + interval '3 days', 'America/New_York', now(), gen_random_uuid(), now() + interval '3 days')`,
    [lead.id, user.id],
  );
  const view = await insert(
    "insert into saved_views (user_id, page, name, query, position) values ($1, 'leads', 'Walk', '', 1)",
    [user.id],
  );
  const device = await insert(
    "insert into push_devices (session_id, endpoint, p256dh, auth) values ($1, $2, '', '')",
    [signedIn, `https://updates.push.services.mozilla.com/${randomUUID()}`],
  );
  const bulk = await insert(
    `insert into bulk_changes (user_id, client_ref, kind, edit, asked, state, waits_until)
     values ($1, gen_random_uuid(), 'status', '{"kind": "status", "status": "interested"}', 1, 'done', now())`,
    [user.id],
  );
  const second = await buildLead(database, { assignedTo: user.id });
  const merge = await insert(
    `insert into lead_merges (lead_id, other_id, client_ref, merged_by, before, other, after, identity, moved, withdrawn, noted)
     values ($1, $2, gen_random_uuid(), $3, '{}', $4, '{}', 'kept', '{}', '[]', '{}')`,
    [lead.id, 900_000_000 + lead.id, user.id, { name: "Walk", assigned_to: user.id }],
  );
  const passkey = await insert(
    "insert into passkeys (user_id, name, credential_id, public_key) values ($1, 'Walk', $2, '')",
    [user.id, randomUUID()],
  );
  // A session of a user with a passkey is valid only with its second factor.
  await database.pool.query("update sessions set second_factor_at = now() where user_id = $1", [user.id]);
  return {
    passkey,
    second: second.id,
    merge,
    device,
    bulk,
    view,
    template,
    recorded,
    scheduled,
    lead: lead.id,
    callSid,
    call,
    taken,
    missed,
    recordingSid,
    meeting,
    session,
    file,
    text,
    signedIn,
  };
}
type Things = Awaited<ReturnType<typeof thingsOf>>;

const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const meetingBody = (leadId: number) => ({ title: "Walk", startTime: at(24), endTime: at(25), leadId });
const onLead =
  (more: string, body?: () => object) =>
  ({ lead }: Things) => ({ path: `/api/leads/${lead}${more}`, body: body?.() });
const onSession =
  (more: string, body?: object) =>
  ({ session }: Things) => ({ path: `/api/dialer/${session}${more}`, body });

/** The request for each route that concerns somebody's data. */
const requests: Record<string, (things: Things) => { path: string; body?: object | undefined }> = {
  "GET /api/leads/:id": onLead(""),
  "GET /api/leads/:id/extra-fields": onLead("/extra-fields"),
  "GET /api/leads/:id/place": onLead("/place"),
  "GET /api/leads/:id/next-try": onLead("/next-try"),
  "POST /api/leads/:id/next-try": onLead("/next-try", () => ({ decision: "again" })),
  "PATCH /api/leads/:id": onLead("", () => ({ notes: "Walked" })),
  "POST /api/leads/:id/notes": onLead("/notes", () => ({ text: "Walked" })),
  "PATCH /api/leads/:id/name": onLead("/name", () => ({ name: "Walked Lead" })),
  "POST /api/leads/:id/convert": onLead("/convert", () => ({ conversionValue: 5 })),
  "POST /api/leads/:id/consent": onLead("/consent", () => ({ source: "By phone" })),
  "DELETE /api/leads/:id/consent": onLead("/consent"),
  "GET /api/leads/:id/timeline": onLead("/timeline"),
  "POST /api/leads/:id/merge/preview": ({ lead, second }) => ({
    path: `/api/leads/${lead}/merge/preview`,
    body: { otherId: second },
  }),
  "POST /api/leads/:id/merge": ({ lead, second }) => ({
    path: `/api/leads/${lead}/merge`,
    body: { otherId: second, clientRef: randomUUID() },
  }),
  "GET /api/leads/:id/merges": onLead("/merges"),
  "POST /api/lead-merges/:id/undo": ({ merge }) => ({ path: `/api/lead-merges/${merge}/undo` }),
  "GET /api/ai-recording/:id": ({ lead }) => ({ path: `/api/ai-recording/${lead}` }),
  "GET /api/ghl/outbox/leads/:id": ({ lead }) => ({ path: `/api/ghl/outbox/leads/${lead}` }),
  "POST /api/leads/:id/assign": onLead("/assign", () => ({ salesRepId: receiver.user.id })),
  "POST /api/leads/:id/transfer": onLead("/transfer", () => ({ newSalesRepId: receiver.user.id })),
  "GET /api/leads/:id/sms": onLead("/sms"),
  "GET /api/leads/:id/sms-templates": onLead("/sms-templates"),
  "GET /api/leads/:id/scheduled-sms": onLead("/scheduled-sms"),
  "POST /api/leads/:id/scheduled-sms": onLead("/scheduled-sms", () => ({
    message: "Later",
    day: new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10),
    time: "12:00",
    clientRef: randomUUID(),
  })),
  "POST /api/scheduled-sms/:id/cancel": ({ scheduled }) => ({
    path: `/api/scheduled-sms/${scheduled}/cancel`,
  }),
  "POST /api/scheduled-sms/:id/send": ({ scheduled }) => ({
    path: `/api/scheduled-sms/${scheduled}/send`,
  }),
  "POST /api/leads/:id/sms": onLead("/sms", () => ({ message: "Hello" })),
  "POST /api/leads/:id/sms/read": onLead("/sms/read"),
  "POST /api/make-call": ({ lead }) => ({ path: "/api/make-call", body: { leadId: lead } }),
  "GET /api/calls/:id": ({ call }) => ({ path: `/api/calls/${call}` }),
  "POST /api/calls/:id/end": ({ call }) => ({ path: `/api/calls/${call}/end` }),
  "POST /api/calls/:id/message": ({ call }) => ({ path: `/api/calls/${call}/message` }),
  "POST /api/inbound-calls/:id/end": ({ taken }) => ({ path: `/api/inbound-calls/${taken}/end` }),
  "POST /api/call-logs": ({ lead }) => ({
    path: "/api/call-logs",
    body: { leadId: lead, duration: 5, outcome: "busy" },
  }),
  "POST /api/call-logs/:id/missed": ({ missed }) => ({
    path: `/api/call-logs/${missed}/missed`,
    body: { done: true },
  }),
  "GET /api/twilio/recording/:recordingSid": ({ recordingSid }) => ({
    path: `/api/twilio/recording/${recordingSid}`,
  }),
  "PATCH /api/dialer/:id": onSession("", { delaySeconds: 10 }),
  "POST /api/dialer/:id/command": onSession("/command", { command: "stop", position: 0 }),
  "POST /api/dialer/:id/next": ({ session, lead }) => ({
    path: `/api/dialer/${session}/next`,
    body: { leadId: lead },
  }),
  "POST /api/dialer/:id/typing": onSession("/typing"),
  "POST /api/dialer/:id/wrap-up": ({ session, call }) => ({
    path: `/api/dialer/${session}/wrap-up`,
    body: { callId: call, outcome: "busy" },
  }),
  "GET /api/dialer/:id/summary": onSession("/summary"),
  "POST /api/dialer/:id/close": onSession("/close"),
  "POST /api/sms/inbox/:id/attach": ({ text, lead }) => ({
    path: `/api/sms/inbox/${text}/attach`,
    body: { leadId: lead },
  }),
  "POST /api/inbox/:id/done": ({ lead }) => ({
    path: `/api/inbox/lead:${lead}/done`,
    body: { lastTextId: 1, lastCallId: null },
  }),
  "POST /api/inbox/:id/reopen": ({ lead }) => ({
    path: `/api/inbox/lead:${lead}/reopen`,
    body: { texts: [], calls: [] },
  }),
  "POST /api/inbox/attach": ({ lead }) => ({
    path: "/api/inbox/attach",
    body: { number: "+17875550142", leadId: lead },
  }),
  "POST /api/calendar/events": ({ lead }) => ({ path: "/api/calendar/events", body: meetingBody(lead) }),
  "PATCH /api/calendar/events/:id": ({ meeting }) => ({
    path: `/api/calendar/events/${meeting}`,
    body: { title: "Walked" },
  }),
  "DELETE /api/calendar/events/:id": ({ meeting }) => ({ path: `/api/calendar/events/${meeting}` }),
  "GET /api/calendar/events/:id/ics": ({ meeting }) => ({ path: `/api/calendar/events/${meeting}/ics` }),
  "GET /api/imports/:id": ({ file }) => ({ path: `/api/imports/${file}` }),
  "GET /api/imports/:id/failed.csv": ({ file }) => ({ path: `/api/imports/${file}/failed.csv` }),
  "PATCH /api/saved-views/:id": ({ view }) => ({
    path: `/api/saved-views/${view}`,
    body: { name: "Walked" },
  }),
  "DELETE /api/saved-views/:id": ({ view }) => ({ path: `/api/saved-views/${view}` }),
  "PATCH /api/sms/templates/:id": ({ template }) => ({
    path: `/api/sms/templates/${template}`,
    body: { name: "Walked", version: 1 },
  }),
  "DELETE /api/sms/templates/:id": ({ template }) => ({ path: `/api/sms/templates/${template}` }),
  "PATCH /api/voicemail-messages/:id": ({ recorded }) => ({
    path: `/api/voicemail-messages/${recorded}`,
    body: { name: "Walked" },
  }),
  "DELETE /api/voicemail-messages/:id": ({ recorded }) => ({ path: `/api/voicemail-messages/${recorded}` }),
  "GET /api/voicemail-messages/:id/sound": ({ recorded }) => ({
    path: `/api/voicemail-messages/${recorded}/sound`,
  }),
  "DELETE /api/push/devices/:id": ({ device }) => ({ path: `/api/push/devices/${device}` }),
  "GET /api/bulk-changes/:id": ({ bulk }) => ({ path: `/api/bulk-changes/${bulk}` }),
  "POST /api/bulk-changes/:id/undo": ({ bulk }) => ({ path: `/api/bulk-changes/${bulk}/undo` }),
  "PATCH /api/passkeys/:id": ({ passkey }) => ({
    path: `/api/passkeys/${passkey}`,
    body: { name: "Walked" },
  }),
  "POST /api/passkeys/:id/end": ({ passkey }) => ({
    path: `/api/passkeys/${passkey}/end`,
    body: { password: "a-long-test-password" },
  }),
  "DELETE /api/sessions/:id": ({ signedIn }) => ({ path: `/api/sessions/${signedIn}` }),
};

const tables =
  "leads calls call_logs messages meetings dialer_sessions dialer_items imports sessions clients lead_events sms_templates scheduled_sms saved_views push_devices bulk_changes lead_merges lead_aliases passkeys".split(
    " ",
  );
/** Checksums of all tables, to detect any write; of sessions only their ids, because each request renews its own. */
async function everyRow(): Promise<unknown> {
  const sums = tables.map((table) =>
    table === "sessions"
      ? "(select sum(id) from sessions)"
      : `(select sum(hashtext(t::text)::bigint) from ${table} t)`,
  );
  return (await portal.deps.database.pool.query(`select ${sums.join(", ")}`)).rows[0];
}

const isRefused = ({ status }: Reply) => status === 401 || status === 403 || status === 404;
const owned: Scope[] = ["assignee", "open", "maker", "self"];

describe("the policy table", () => {
  it.each(having(() => true))("%s is a registered route", (_route, { method, path }) => {
    expect(portal.app.hasRoute({ method, url: path })).toBe(true);
  });

  it.each(having(({ access }) => access !== "public" && access !== "signed"))(
    "%s requires a session",
    async (_route, row) => {
      const answer = await ask(null, row, anyAddress(row), row.method === "GET" ? undefined : {});
      expect(answer.status).toBe(401);
      if (!portal.app.hasRoute({ method: "HEAD", url: row.path })) return;
      expect((await portal.app.inject({ method: "HEAD", url: anyAddress(row) })).statusCode).toBe(401);
    },
  );

  it.each(having(({ access }) => access === "public"))(
    "%s is open without a session",
    async (_route, row) => {
      const answer = await ask(null, row, anyAddress(row), row.method === "GET" ? undefined : {});
      expect([401, 403]).not.toContain(answer.status);
    },
  );

  it.each(having(({ access }) => access === "signed"))(
    "%s requires a signature from everybody",
    async (_route, row) => {
      const form = { "content-type": "application/x-www-form-urlencoded" };
      const json = { "content-type": "application/json" };
      const headers = row.path.startsWith("/api/ghl") ? json : form;
      for (const as of [null, owner, admin]) {
        const answer = await portal.app.inject({
          method: "POST",
          url: row.path,
          headers: { ...headers, ...(as && { cookie: as.cookie }) },
          payload: row.path.startsWith("/api/ghl") ? "{}" : "CallSid=CA1",
        });
        expect([401, 403]).toContain(answer.statusCode);
      }
    },
  );

  // Before the administrators change the keys.
  it.each(having(({ access }) => access === "intake"))(
    "%s accepts the source's key, and no other",
    async (_route, row) => {
      const source = row.path.startsWith("/api/webhook/") ? (row.path.split("/").at(-1) ?? "") : "import";
      const body = row.method === "GET" ? undefined : {};
      const key = keys.get(source) ?? "";
      expect((await ask(null, row, anyAddress(row), body, { "x-api-key": `${key}x` })).status).toBe(401);
      expect((await ask(null, row, anyAddress(row), body, { "x-api-key": key })).status).not.toBe(401);
    },
  );

  it.each(having(({ access }) => access === "admin"))("%s requires an administrator", async (_route, row) => {
    expect((await ask(owner, row, anyAddress(row), row.method === "GET" ? undefined : {})).status).toBe(403);
    expect([401, 403]).not.toContain((await ask(admin, row, anyAddress(row))).status);
  });

  const shared = having(({ access, scope }) => access === "user" && scope === "everyone");
  it.each(shared.filter(([, { method }]) => method === "GET"))(
    "%s is open to consultants",
    async (_route, row) => {
      expect([401, 403]).not.toContain((await ask(owner, row, anyAddress(row))).status);
    },
  );

  it("has a test request for every owned resource", () => {
    const named = rows.filter(({ scope, path }) => owned.includes(scope) && path.includes("/:"));
    expect(named.map(({ route }) => route).filter((route) => !requests[route])).toEqual([]);
  });

  const somebodys = having(({ scope }) => owned.includes(scope)).filter(([route]) => requests[route]);
  it.each(somebodys)("%s serves the owner and rejects others, who change nothing", async (route, row) => {
    const requestOf = requests[route];
    if (!requestOf) throw new Error(`no request for ${route}`);
    const theirs = requestOf(await thingsOf(owner));
    const before = await everyRow();
    const refused = await ask(other, row, theirs.path, theirs.body);
    expect([403, 404], JSON.stringify(refused.body)).toContain(refused.status);
    expect(await everyRow()).toEqual(before);

    const byAdmin = await ask(admin, row, theirs.path, theirs.body);
    expect(isRefused(byAdmin), JSON.stringify(byAdmin.body)).toBe(row.scope === "self");

    const own = requestOf(await thingsOf(owner));
    const answer = await ask(owner, row, own.path, own.body);
    expect(isRefused(answer), JSON.stringify(answer.body)).toBe(false);
  });

  const lists = having(({ scope }) => scope === "visible").filter(
    ([route, { method, path }]) => method === "GET" && !path.includes("/:") && route !== "GET /api/events",
  );
  it.each(lists)("%s returns a consultant their own, an administrator all", async (_route, row) => {
    await thingsOf(owner);
    const read = async (as: Client) => {
      const { status, body } = await ask(as, row, `${row.path}?format=json&q=hello`);
      expect(status).toBe(200);
      // Ids and times may differ.
      return JSON.stringify(body).replaceAll(/"\d{4}-\d\d-\d\dT[^"]+"|"(id|userId)":\d+/g, "");
    };
    const [mine, theirs, nobodys, everybodys] = [
      await read(owner),
      await read(other),
      await read(third),
      await read(admin),
    ];
    expect(theirs).toBe(nobodys);
    expect(mine).not.toBe(theirs);
    expect(everybodys).not.toBe(theirs);
  });
});
