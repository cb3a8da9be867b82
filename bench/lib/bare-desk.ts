import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { leadStatements, list, newestLeads, one, prepareStatements, serveJson } from "./bare.ts";

/**
 * The minimum that a server needs for the same consultants: the reads and writes of `desk-worker`, one statement each, whose JSON
 * PostgreSQL builds, and an event for each write on the streams of the users concerned. No validation, log, timeline, audit, outbox or
 * metrics. The user is looked up by the cookie's token once. Started as a process of its own with PORT and DATABASE_URL.
 */
const statements = {
  ...leadStatements,
  who: one(
    "select u.id, u.role, u.name, u.email from sessions s join users u on u.id = s.user_id where s.token = $1",
  ),
  page: newestLeads("l.assigned_to = $1"),
  search: newestLeads("l.assigned_to = $1 and l.search like $2"),
  tiles:
    one(`select count(*) as total, count(*) filter (where last_contacted_at >= current_date) as contacted,
    count(*) filter (where next_follow_up_date <= now()) as due from leads where assigned_to = $1`),
  outcomes: list(
    "select * from call_logs where user_id = $1 and not confirmed order by call_date desc limit 50",
  ),
  unread: one(
    "select coalesce(sum(unread_messages), 0) as unread from leads where assigned_to = $1 and unread_messages > 0",
  ),
  live: one(
    "select (select row_to_json(c) from calls c where user_id = $1 and state <> 'ended' limit 1) as call",
  ),
  session: one("select null as session"),
  timeline: list("select * from lead_events where lead_id = $1 order by id desc limit 50"),
  panel:
    list(`select u.id, u.name, u.email, count(l.id) as leads from users u left join leads l on l.assigned_to = u.id
    group by u.id order by u.id limit 100`),
  report: list(
    `select outcome, count(*), sum(duration_seconds) from call_logs where call_date > now() - interval '30 days' group by 1`,
  ),
  call: `insert into calls (lead_id, user_id, rep_number, rep_line, lead_number, press_one, call_sid, asked_at)
    select id, $2, '+13055550101', 'personal', coalesce(phone_e164, phone), true, $3, now() from leads where id = $1 returning id::text as json`,
  hook: `with kept as (insert into provider_events (source, event_key, kind, payload, processed_at)
      values ('twilio', $2, 'status', $3, now()) returning id)
    update calls set state = $4, ended_at = case when $4 = 'ended' then now() end where id = $1 returning user_id::text as json`,
};
const { ask, uncounted } = prepareStatements(statements);

interface Person {
  id: number;
  role: string;
}
const known = new Map<string, Person>();
async function whoAsks(request: IncomingMessage): Promise<Person> {
  const cookie = decodeURIComponent(request.headers.cookie ?? "").slice("portal=".length);
  const token = cookie.slice(0, cookie.lastIndexOf("."));
  const person = known.get(token) ?? (JSON.parse(await ask("who", [token])) as Person);
  known.set(token, person);
  return person;
}

const streams = new Map<ServerResponse, Person>();
function notify(topic: string, id: number, userId: number): void {
  const text = `data: ${JSON.stringify({ topic, id })}\n\n`;
  for (const [stream, person] of streams)
    if (person.role === "admin" || person.id === userId) stream.write(text);
}

const reads: Record<string, keyof typeof statements> = {
  "/api/current-user": "who",
  "/api/dashboard-stats": "tiles",
  "/api/call-logs": "outcomes",
  "/api/sms/unread": "unread",
  "/api/calls/live": "live",
  "/api/dialer": "session",
  "/api/admin/user-stats": "panel",
  "/api/admin/system-stats": "panel",
  "/api/reports/overview": "report",
  "/api/reports/calls": "report",
};

/** A callback of the provider: stores the event and updates the call. */
async function takeHook(url: URL, body: string): Promise<string> {
  const callId = Number(url.searchParams.get("call"));
  const ended = url.pathname.endsWith("rep-status") && body.includes("CallStatus=completed");
  const key = `${url.pathname}/${callId}/${randomBytes(8).toString("hex")}`;
  const payload = JSON.stringify(Object.fromEntries(new URLSearchParams(body)));
  const userId = await uncounted("hook", [callId, key, payload, ended ? "ended" : "ringing_lead"]);
  notify("call", callId, Number(userId));
  return "<Response/>";
}

async function write(method: string, url: URL, person: Person, body: string): Promise<string> {
  if (method === "PATCH") {
    const id = Number(url.pathname.slice("/api/leads/".length));
    const json = await ask("patch", [id, JSON.parse(body).notes]);
    notify("lead", id, person.id);
    return json;
  }
  const { leadId, outcome, duration, notes } = JSON.parse(body);
  if (url.pathname === "/api/make-call") {
    const callSid = `CA${randomBytes(16).toString("hex")}`;
    const callId = Number(await uncounted("call", [leadId, person.id, callSid]));
    notify("call", callId, person.id);
    return JSON.stringify({ callSid, callId });
  }
  const json = await uncounted("log", [leadId, person.id, outcome, duration, notes]);
  notify("call-log", leadId, person.id);
  notify("lead", leadId, person.id);
  return json;
}

async function answer(request: IncomingMessage, url: URL, body: string): Promise<string> {
  if (url.pathname.startsWith("/api/twilio/")) return takeHook(url, body);
  const person = await whoAsks(request);
  if (request.method !== "GET") return write(request.method ?? "", url, person, body);
  const plain = reads[url.pathname];
  if (plain === "who") return JSON.stringify(person);
  if (plain)
    return ask(plain, plain === "session" || plain === "panel" || plain === "report" ? [] : [person.id]);
  if (url.pathname === "/api/leads") {
    const word = url.searchParams.get("search");
    return word ? ask("search", [person.id, `%${word}%`]) : ask("page", [person.id]);
  }
  const id = Number(url.pathname.split("/")[3]);
  return ask(url.pathname.endsWith("/timeline") ? "timeline" : "lead", [id]);
}

async function openStream(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write("retry: 2000\n\n");
  streams.set(response, await whoAsks(request));
  response.on("close", () => streams.delete(response));
}

serveJson(answer, (url, request, response) => {
  if (url.pathname === "/api/health") response.end("{}");
  else if (url.pathname === "/api/events") void openStream(request, response);
  else return false;
  return true;
});
