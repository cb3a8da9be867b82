import type { Tx } from "../../db/client.ts";
import { prepared } from "../../db/prepared.ts";
import { provedHash, stateHash } from "./data-leads.ts";

/**
 * Which of these contacts, by id with their digests, may say something new. Not those whose lead is exactly as it was when the same contact said nothing new to
 * it, has no change on its way to the CRM and is not marked as gone: for them the plan would come out the same (`planLead`). A contact
 * that could not be read before is news.
 */
export async function findNews(tx: Tx, digests: Map<string, string>): Promise<Set<string>> {
  const { rows } = await tx.$client.query<{ id: string }>(
    prepared(
      // One look by index for each, whatever the planner knows of the table.
      `select s.id from unnest($1::text[], $2::text[]) as s(id, digest)
        where (
          select l.crm_hash = ${provedHash("s.digest", stateHash("l"))} and not exists (
              select 1 from crm_outbox o where o.lead_id = l.id and o.state in ('pending', 'failed'))
            from leads l where l.ghl_contact_id = s.id and l.crm_deleted_at is null) is not true
          or exists (select 1 from crm_rejects r where r.external_id = s.id)`,
      [[...digests.keys()], [...digests.values()]],
    ),
  );
  return new Set(rows.map(({ id }) => id));
}

/** Keeps that contacts said nothing new to leads of such states; the leads may have changed meanwhile. */
export async function keepProofs(
  tx: Tx,
  proofs: { id: number; proof: string; state: string }[],
): Promise<void> {
  if (proofs.length === 0) return;
  await tx.$client.query(
    `with proved as (
       select l.id, ${provedHash("c.proof", "c.state")} as hash
         from jsonb_to_recordset($1::jsonb) as c(id int, proof text, state bigint) join leads l on l.id = c.id
        order by l.id for no key update of l)
     update leads l set crm_hash = p.hash from proved p where l.id = p.id`,
    [JSON.stringify(proofs)],
  );
}
