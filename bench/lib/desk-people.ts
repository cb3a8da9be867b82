import { createHmac, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";

export interface DeskPerson {
  userId: number;
  role: "admin" | "consultant";
  /** The cookie of a signed-in session. */
  cookie: string;
  /** Leads that are assigned to this person. */
  leadIds: number[];
}

/** Each makes calls from a different phone. */
const usersSql = `
  with first as (select coalesce(max(id), 0) as id from users)
  insert into users (id, name, email, role, personal_phone, personal_phone_e164)
  select first.id + n, 'Desk ' || n, 'desk' || n || '@example.com', case when n <= $1::int then 'admin' else 'consultant' end,
    '+1305' || lpad((2000000 + n)::text, 7, '0'), '+1305' || lpad((2000000 + n)::text, 7, '0')
  from first, generate_series(1, $1::int + $2::int) n returning id, role`;

/** Assigns the leads to the consultants in equal numbers, nine in ten of all. None has a contact in the CRM. */
const dealSql = `
  update leads set assigned_to = $1::int + id % $2::int, assigned_at = coalesce(assigned_at, created_at), status = case when status = 'converted' then 'contacted' else status end,
    converted_at = null, ghl_contact_id = null, crm_sync = 'none'
  where id <= $3::int`;

const sessionsSql = `
  insert into sessions (user_id, token, expires_at, created_at, updated_at)
  select id, token, now() + interval '1 day', now(), now() from unnest($1::int[], $2::text[]) as t(id, token)`;

/**
 * Creates administrators and consultants with sessions and assigns the leads to the consultants. Sessions are written in the sign-in
 * library's format (a token in the row, its signature in the cookie), because hashing thousands of passwords would take minutes.
 */
export async function addDeskPeople(
  pool: Pool,
  {
    admins,
    consultants,
    leads,
    secret,
  }: { admins: number; consultants: number; leads: number; secret: string },
): Promise<DeskPerson[]> {
  const { rows } = await pool.query<{ id: number; role: DeskPerson["role"] }>(usersSql, [
    admins,
    consultants,
  ]);
  await pool.query("select setval(pg_get_serial_sequence('users', 'id'), (select max(id) from users))");
  const tokens = rows.map(() => randomBytes(24).toString("base64url"));
  await pool.query(sessionsSql, [rows.map(({ id }) => id), tokens]);
  const first = rows.find(({ role }) => role === "consultant")?.id ?? 0;
  const dealt = Math.floor(leads * 0.9);
  await pool.query("set session_replication_role = replica");
  await pool.query(dealSql, [first, consultants, dealt]);
  return rows.map(({ id, role }, index) => {
    const token = tokens[index] ?? "";
    const signature = createHmac("sha256", secret).update(token).digest("base64");
    const offset = id - first;
    return {
      userId: id,
      role,
      cookie: `portal=${encodeURIComponent(`${token}.${signature}`)}`,
      leadIds:
        role === "admin"
          ? []
          : Array.from(
              { length: Math.floor(dealt / consultants) },
              (_value, n) => n * consultants + offset,
            ).filter((leadId) => leadId > 0),
    };
  });
}

/**
 * The load ends in the middle of calls: they are ended before the next one begins, because they would block its calls. Rows that the portal
 * still writes are left to the next attempt, as waiting for them could end in a deadlock.
 */
export async function endCalls(pool: Pool): Promise<void> {
  for (;;) {
    await pool.query(
      `update calls set state = 'ended', result = 'failed', settled = true, ended_at = now()
       where id in (select id from calls where state <> 'ended' order by id for update skip locked)`,
    );
    const { rowCount } = await pool.query("select 1 from calls where state <> 'ended' limit 1");
    if (rowCount === 0) return;
    await sleep(200);
  }
}
