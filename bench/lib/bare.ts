import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import pg from "pg";

/** The columns of a lead `l`, named as in the portal's responses. */
const leadColumns = `l.id, l.name, l.first_name as "firstName", l.last_name as "lastName", l.email, l.phone, l.company, l.industry, l.status,
  l.lead_source as "leadSource", l.priority, l.notes, l.deal_value as "dealValue", l.ghl_contact_id as "ghlContactId",
  l.ai_recording_message_id as "aiRecording", l.next_follow_up_date as "nextFollowUpDate", l.last_contacted_at as "lastContactedAt",
  l.assigned_at as "assignedAt", l.assigned_to as "assignedTo", l.created_at as "createdAt", l.converted_at as "convertedAt",
  l.consent_at as "consentAt", l.consent_source as "consentSource", l.crm_sync as "crmSync"`;

/** All rows of a statement as one JSON text. */
export const list = (from: string) => `select coalesce(json_agg(r), '[]')::text as json from (${from}) r`;
/** The single row of a statement as a JSON text. */
export const one = (from: string) => `select row_to_json(r)::text as json from (${from}) r`;
/** The newest leads that satisfy a condition. */
export const newestLeads = (where: string, limit = "limit 50") =>
  list(
    `select ${leadColumns} from leads l where ${where} order by l.created_at desc nulls last, l.id desc nulls last ${limit}`,
  );

/** Statements of every bare server of leads. */
export const leadStatements = {
  lead: one(`select ${leadColumns} from leads l where l.id = $1`),
  patch: `with changed as (update leads set notes = $2, updated_at = now() where id = $1 returning *)
    select row_to_json(r)::text as json from (select ${leadColumns} from changed l) r`,
  log: `with added as (
      insert into call_logs (lead_id, user_id, outcome, confirmed, call_type, duration_seconds, notes, search)
      values ($1, $2, $3, true, 'browser', $4, $5, lower($5)) returning *)
    select row_to_json(added)::text as json from added`,
};

type Ask<Name extends string> = (name: Name, values: unknown[]) => Promise<string>;

/** Runs statements by name, prepared once for each connection. Writes by `uncounted` run no triggers, so that no metrics are updated. */
export function prepareStatements<Name extends string>(
  statements: Record<Name, string>,
): { ask: Ask<Name>; uncounted: Ask<Name> } {
  const askThrough = (options?: string): Ask<Name> => {
    const { DATABASE_URL: connectionString } = process.env;
    const pool = new pg.Pool({ connectionString, max: 8, ...(options && { options }) });
    return async (name, values) => {
      const query = { name, text: statements[name], values };
      const { rows } = await pool.query<{ json: string | null }>(query);
      return rows[0]?.json ?? "null";
    };
  };
  return { ask: askThrough(), uncounted: askThrough("-c session_replication_role=replica") };
}

/** Serves JSON texts on PORT until the process that started this one ends. `handle` handles requests with other responses. */
export function serveJson(
  answer: (request: IncomingMessage, url: URL, body: string) => Promise<string>,
  handle: (url: URL, request: IncomingMessage, response: ServerResponse) => boolean = () => false,
): void {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    if (handle(url, request, response)) return;
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const json = await answer(request, url, Buffer.concat(chunks).toString());
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
}
