import { createServer, type IncomingMessage } from "node:http";
import pg from "pg";

/**
 * The least a server can do with leads and calls: one statement a request, whose JSON PostgreSQL builds and the server passes on. No
 * session, no check, no log, no timeline, audit, outbox or figures. Started as a process of its own with PORT and DATABASE_URL.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 8 });
/** Its calls are written without triggers: nothing counts them. */
const uncounted = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: 8,
  options: "-c session_replication_role=replica",
});

const columns = `l.id, l.name, l.first_name as "firstName", l.last_name as "lastName", l.email, l.phone, l.company, l.industry, l.status,
  l.lead_source as "leadSource", l.priority, l.notes, l.deal_value as "dealValue", l.ghl_contact_id as "ghlContactId",
  l.ai_recording_message_id as "aiRecording", l.next_follow_up_date as "nextFollowUpDate", l.last_contacted_at as "lastContactedAt",
  l.assigned_at as "assignedAt", l.assigned_to as "assignedTo", l.created_at as "createdAt", l.converted_at as "convertedAt",
  l.consent_at as "consentAt", l.consent_source as "consentSource", l.crm_sync as "crmSync"`;
const newest = (where: string, limit: string) =>
  `select coalesce(json_agg(r), '[]')::text as json from (select ${columns} from leads l where ${where}
   order by l.created_at desc nulls last, l.id desc nulls last ${limit}) r`;

/** Statements by name: prepared once a connection. */
const statements = {
  page: newest("l.status = $1 and l.priority = $2 and l.search like $3", "limit 50"),
  filtered: newest("l.status = $1 and l.priority = $2", "limit 50"),
  searched: newest("l.search like $1", "limit 50"),
  rep: newest("l.assigned_to = $1", ""),
  lead: `select row_to_json(r)::text as json from (select ${columns} from leads l where l.id = $1) r`,
  patch: `with changed as (update leads set notes = $2, updated_at = now() where id = $1 returning *)
    select row_to_json(r)::text as json from (select ${columns} from changed l) r`,
  log: `with added as (
      insert into call_logs (lead_id, user_id, outcome, confirmed, call_type, duration_seconds, notes, search)
      values ($1, $2, $3, true, 'browser', $4, $5, lower($5)) returning *)
    select row_to_json(added)::text as json from added`,
};

async function ask(name: keyof typeof statements, values: unknown[], from = pool): Promise<string> {
  const { rows } = await from.query<{ json: string }>({ name, text: statements[name], values });
  return rows[0]?.json ?? "null";
}

function answer(request: IncomingMessage, body: string): Promise<string> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  const id = Number(pathname.slice("/api/leads/".length));
  if (request.method === "PATCH") return ask("patch", [id, JSON.parse(body).notes]);
  if (request.method === "POST") {
    const { leadId, outcome, duration, notes } = JSON.parse(body);
    return ask("log", [leadId, Number(searchParams.get("user")), outcome, duration, notes], uncounted);
  }
  if (id > 0) return ask("lead", [id]);
  const [status, priority, search] = ["status", "priority", "search"].map((name) => searchParams.get(name));
  if (status)
    return search ? ask("page", [status, priority, `%${search}%`]) : ask("filtered", [status, priority]);
  if (search) return ask("searched", [`%${search}%`]);
  return searchParams.has("rep") ? ask("rep", [searchParams.get("rep")]) : Promise.resolve("[]");
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", async () => {
    const json = await answer(request, Buffer.concat(chunks).toString());
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(json),
    });
    response.end(json);
  });
});

server.listen(Number(process.env.PORT), "127.0.0.1");
process.stdin.resume().on("end", () => process.exit(0));
process.on("SIGTERM", () => process.exit(0));
