import type { Db } from "../../db/client.ts";

export interface ConsultantRow {
  userId: number;
  name: string;
  active: boolean;
  /** Leads assigned now. */
  leads: number;
}

/**
 * The consultants: those with an open account or with leads, and whoever else (`andIds`) did something. Or one person alone (`userId`).
 */
export async function listConsultants(
  db: Db,
  { userId, andIds }: { userId?: number | undefined; andIds: number[] },
): Promise<ConsultantRow[]> {
  const { rows } = await db.$client.query<ConsultantRow>(
    `select u.id as "userId", u.name, u.disabled_at is null as active, coalesce(o.leads, 0) as leads
     from users u left join (
       select user_id, sum(n)::float8 as leads from current_figures where kind = 'lead_owner' group by user_id
     ) o on o.user_id = u.id
     where case when $1::int is not null then u.id = $1
       else u.id = any($2::int[]) or o.leads > 0 or (u.role = 'consultant' and u.disabled_at is null) end`,
    [userId ?? null, andIds],
  );
  return rows;
}
