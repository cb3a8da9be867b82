import { Client } from "pg";
import type { Database } from "../../apps/server/src/platform/db/client.ts";
import { recountMetrics } from "../../apps/server/src/platform/db/metrics.ts";
import { buildUser, type TestUser } from "../../apps/server/src/testing/factories.ts";

const consultants = 100;
/** The organization's zone in the bench. */
export const zone = "America/New_York";
/** Each is the last name of 1.6 % of the leads. */
export const lastNames =
  "Abreu Acosta Aguirre Alonso Arias Barrios Becerra Benitez Blanco Brooks Bustos Cabrera Calvo Campos Cano Carrasco Castillo Cordero Cortez Crespo Cuevas Delgado Dominguez Duran Escobar Espinoza Estrada Fuentes Gallardo Garrido Guerrero Gutierrez Herrera Hidalgo Ibarra Jimenez Lozano Maldonado Marquez Medina Mendez Molina Montero Navarro Olivares Ortega Pacheco Palacios Quintero Ramirez Rosales Salazar Santana Sepulveda Trujillo Urbina Valdez Vargas Velasco Whitfield Zamora Zepeda".split(
    " ",
  );
const firstNames =
  "Ana Luis María Robert Carmen José Dana Sofía Omar Ruth Ian Marta Elena Hugo Nora Pablo".split(" ");

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    // The rows are known to be valid, and they are many: no triggers, no foreign keys.
    await client.query("set session_replication_role = replica; set maintenance_work_mem = '512MB'");
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Runs `work` without the indexes of some tables, which are created again afterwards, several at once. */
async function withoutIndexes(url: string, tables: string[], work: () => Promise<void>): Promise<void> {
  const statements = await withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string; definition: string }>(
      `select i.indexname as name, i.indexdef as definition from pg_indexes i
       where i.tablename = any($1::text[]) and not exists (select 1 from pg_constraint c where c.conname = i.indexname)
       order by i.indexdef like '%gin%' desc`,
      [tables],
    );
    for (const { name } of rows) await client.query(`drop index "${name}"`);
    return rows.map(({ definition }) => definition);
  });
  await work();
  const makers = Array.from({ length: 2 }, () =>
    withClient(url, async (client) => {
      for (let next = statements.shift(); next; next = statements.shift()) await client.query(next);
    }),
  );
  await Promise.all(makers);
}

/** Creates an administrator and the consultants; one of them can sign in too. */
export async function addPeople(database: Database): Promise<{ admin: TestUser; consultant: TestUser }> {
  const admin = await buildUser(database, { email: "admin@example.com", role: "admin" });
  const consultant = await buildUser(database, { email: "rep1@example.com" });
  await database.pool.query(
    `insert into users (name, email) select 'Consultant ' || n, 'rep' || n || '@example.com' from generate_series(2, $1::int) n`,
    [consultants],
  );
  return { admin, consultant };
}

/** The newest leads were never called. */
const calledShare = 0.98;
/** Leads of each consultant; all others are unassigned. */
const perConsultant = 900;

const leadsSql = `
  insert into leads (id, name, first_name, last_name, email, phone, phone_e164, company, industry, status, lead_source, priority, notes,
    deal_value, next_follow_up_date, last_contacted_at, assigned_to, assigned_at, created_at, converted_at, time_zone, ghl_contact_id,
    crm_sync, search)
  select n, first || ' ' || last, first, last, mail, phone, '+' || digits, company, 'Industry ' || n % 30, status, 'Source ' || n % 12,
    (array['high', 'medium', 'low'])[(n / 6) % 3 + 1],
    case when n % 3 = 0 then 'Asked for an offer for the second building; call after noon, speaks Spanish at home. ' || n end,
    n % 9000 + 0.5, case when n % 10 = 0 then at + interval '400 days' end, case when status <> 'new' then at + interval '2 days' end,
    rep, case when rep is not null then at end, at, case when status = 'converted' then least(at + interval '9 days', now()) end,
    'America/New_York', 'contact-' || n, 'synced',
    lower(translate(first, 'íé', 'ie') || ' ' || last || ' ' || mail || ' ' || company) || ' ' || substr(digits, 2) || ' ' || digits
  from generate_series($1::int, $2::int) n,
    lateral (select ($3::text[])[(n * 7) % 16 + 1] as first, ($4::text[])[(n * 13 + n / 64) % 62 + 1] as last,
      'person' || n || '@example.com' as mail, 'Company ' || n % 5000 || ' LLC' as company,
      '1' || (201 + n / 10000 % 700) || '555' || lpad((n % 10000)::text, 4, '0') as digits,
      (array['new', 'contacted', 'qualified', 'interested', 'not_interested', 'converted'])[n % 6 + 1] as status,
      case when n <= ${perConsultant} * ${consultants} then (select min(id) from users) + 1 + n % ${consultants} end as rep,
      now() - (1100000 - n) * interval '1 minute' as at) a,
    lateral (select '(' || substr(digits, 2, 3) || ') 555-' || right(digits, 4) as phone) b`;

/** Its ids come from the table's sequence, because the measured requests have written calls as well. */
const callsSql = `
  insert into call_logs (lead_id, user_id, outcome, confirmed, confirmed_at, direction, call_type, call_date, duration_seconds, notes, search)
  select lead, (select min(id) from users) + 1 + lead % ${consultants}, outcome, true, at,
    case when n % 9 = 0 then 'inbound' else 'outbound' end, 'browser', at, case outcome when 'answered' then n % 900 else n % 30 end, note,
    coalesce(lower(note), '')
  from generate_series($1::int, $2::int) n,
    lateral (select (n::bigint * 7919 % $3::int)::int + 1 as lead,
      (array['answered', 'voicemail', 'no_answer', 'busy', 'no_answer', 'voicemail', 'disconnected'])[n % 7 + 1] as outcome,
      now() - (n::bigint * 104729 % 31536000) * interval '1 second' as at,
      case when n % 10 = 0 then 'Call again at noon about the renewal offer ' || n % 1000 end as note) a`;

/** For every tenth lead a call that rang, and an SMS in each direction. */
const contactsSql = [
  `insert into calls (lead_id, user_id, rep_number, rep_line, lead_number, press_one, state, result, settled, requested_at, lead_ringing_at, ended_at)
   select l.id, coalesce(l.assigned_to, (select min(id) + 1 from users)), '+13055550101', 'personal', l.phone_e164, true, 'ended', 'completed', true,
     l.created_at + interval '1 day', l.created_at + interval '1 day', l.created_at + interval '1 day'
   from leads l where l.id between $1 and $2 and l.id % 10 = 0`,
  `insert into messages (lead_id, user_id, direction, body, status, from_number, to_number, created_at, read_at)
   select l.id, case when out then l.assigned_to end, case when out then 'outbound' else 'inbound' end, 'See you at noon then.', 'delivered',
     '+12125550100', l.phone_e164, l.created_at + interval '1 day', case when l.id % 100 > 0 then now() end
   from leads l, unnest(array[true, false]) out where l.id between $1 and $2 and l.id % 10 = 0`,
  `update leads l set unread_messages = m.unread, last_activity_at = m.at
   from (select lead_id, count(*) filter (where direction = 'inbound' and read_at is null) as unread, max(created_at) as at
     from messages where lead_id between $1 and $2 group by lead_id) m where m.lead_id = l.id`,
  `update leads l set attempts = t.n, last_attempt_at = t.call_date, last_attempt_outcome = t.outcome
   from (select distinct on (lead_id) lead_id, call_date, outcome, count(*) over (partition by lead_id)::int as n
     from call_logs where direction = 'outbound' and lead_id between $1 and $2 order by lead_id, call_date desc, id desc) t
   where t.lead_id = l.id`,
  `insert into clients (lead_id, converted_by, converted_at, conversion_value)
   select l.id, coalesce(l.assigned_to, (select min(id) + 1 from users)), l.converted_at, l.deal_value from leads l
   where l.id between $1 and $2 and l.status = 'converted'`,
];

export interface Size {
  leads: number;
  calls: number;
}

/** Grows an organization from one size to a larger one, and counts its metrics. @returns seconds */
export async function fill(url: string, from: Size, to: Size): Promise<number> {
  const startedAt = performance.now();
  await withoutIndexes(url, ["leads", "call_logs", "calls", "messages", "clients"], () =>
    withClient(url, async (client) => {
      await client.query(leadsSql, [from.leads + 1, to.leads, firstNames, lastNames]);
      await client.query(callsSql, [from.calls + 1, to.calls, Math.floor(to.leads * calledShare)]);
      for (const sql of contactsSql) await client.query(sql, [from.leads + 1, to.leads]);
      await client.query("select setval(pg_get_serial_sequence('leads', 'id'), (select max(id) from leads))");
    }),
  );
  await withClient(url, async (client) => {
    await client.query("begin");
    await recountMetrics({ $client: client }, zone);
    await client.query("commit");
    await client.query("vacuum (analyze)");
    await client.query("checkpoint");
  });
  return (performance.now() - startedAt) / 1_000;
}
