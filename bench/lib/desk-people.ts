import { createHmac, randomBytes } from "node:crypto";
import type { Pool } from "pg";

export interface DeskPerson {
  userId: number;
  role: "admin" | "consultant";
  /** The cookie of a session that is signed in. */
  cookie: string;
  /** Leads that are assigned to this person. */
  leadIds: number[];
}

/** Each makes calls from a phone that differs from all others. */
const usersSql = `
  with first as (select coalesce(max(id), 0) as id from users)
  insert into users (id, name, email, role, personal_phone, personal_phone_e164)
  select first.id + n, 'Desk ' || n, 'desk' || n || '@example.com', case when n <= $1::int then 'admin' else 'consultant' end,
    '+1305' || lpad((2000000 + n)::text, 7, '0'), '+1305' || lpad((2000000 + n)::text, 7, '0')
  from first, generate_series(1, $1::int + $2::int) n returning id, role`;

/** Deals the leads out among the consultants: as many to each, and nine in ten of all belong to somebody. The CRM knows none of them. */
const dealSql = `
  update leads set assigned_to = $1::int + id % $2::int, assigned_at = coalesce(assigned_at, created_at), status = case when status = 'converted' then 'contacted' else status end,
    converted_at = null, ghl_contact_id = null, crm_sync = 'none'
  where id <= $3::int`;

const sessionsSql = `
  insert into sessions (user_id, token, expires_at, created_at, updated_at)
  select id, token, now() + interval '1 day', now(), now() from unnest($1::int[], $2::text[]) as t(id, token)`;

/**
 * Makes administrators and consultants with sessions and deals the leads out among the consultants. Sessions are written as the sign-in
 * library writes them (a token in the row, its signature in the cookie): hashing thousands of passwords would take minutes.
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
