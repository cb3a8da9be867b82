import type { SalesRep } from "@portal/contract/entities/meeting";
import { and, asc, desc, eq, isNull } from "drizzle-orm";
import type { Db, Tx } from "../../platform/db/client.ts";
import { leadEvents } from "../../platform/db/schema/leads.ts";
import { users } from "../../platform/db/schema/users.ts";

const isActiveConsultant = and(eq(users.role, "consultant"), isNull(users.disabledAt));

/** Active consultants by name. */
export function listSalesReps(db: Db): Promise<SalesRep[]> {
  return db
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(isActiveConsultant)
    .orderBy(asc(users.name), asc(users.id));
}

/** Whether this is an active consultant; locks the account against changes until the transaction ends. */
export async function holdSalesRep(tx: Tx, salesRepId: number): Promise<boolean> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, salesRepId), isActiveConsultant))
    .for("share");
  return rows.length > 0;
}

/** The user and the data of the lead's last assignment; undefined if there was none. */
export async function lastAssignment(tx: Tx, leadId: number) {
  const [row] = await tx
    .select({ userId: leadEvents.userId, data: leadEvents.data })
    .from(leadEvents)
    .where(and(eq(leadEvents.leadId, leadId), eq(leadEvents.kind, "assigned")))
    .orderBy(desc(leadEvents.at), desc(leadEvents.id))
    .limit(1);
  return row;
}
