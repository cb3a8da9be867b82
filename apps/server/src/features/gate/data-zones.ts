import type { Db } from "../../db/client.ts";

/** The next leads with a number and no zone, by id. */
export async function findLeadsWithoutZone(
  db: Db,
  input: { afterId: number; limit: number },
): Promise<{ id: number; phoneE164: string }[]> {
  const { rows } = await db.$client.query<{ id: number; phoneE164: string }>(
    `select id, phone_e164 as "phoneE164" from leads
     where id > $1 and time_zone is null and phone_e164 is not null order by id limit $2`,
    [input.afterId, input.limit],
  );
  return rows;
}

/** Writes zones; a lead whose number has changed meanwhile is left as it is. */
export async function writeZones(
  db: Db,
  zones: { id: number; phoneE164: string; timeZone: string }[],
): Promise<void> {
  await db.$client.query(
    `update leads l set time_zone = z."timeZone"
     from jsonb_to_recordset($1::jsonb) as z(id int, "phoneE164" text, "timeZone" text)
     where l.id = z.id and l.phone_e164 = z."phoneE164" and l.time_zone is null`,
    [JSON.stringify(zones)],
  );
}
