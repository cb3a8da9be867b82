import type { OrganisationSettings } from "@portal/contract/entities/settings";
import { firstCallMinutes } from "@portal/contract/entities/today";
import { eq } from "drizzle-orm";
import type { Database, Db } from "../../platform/db/client.ts";
import { organisationSettings } from "../../platform/db/schema/organisation.ts";
import { recordAudit } from "../activity/record-audit.ts";

type Row = typeof organisationSettings.$inferSelect;

const present = ({ machineDetection, voicemailDrop, firstCallMinutes }: Row): OrganisationSettings => ({
  machineDetection,
  voicemailDrop,
  firstCallMinutes,
});

/** What holds for everybody; where nobody has set anything, what the table begins with. */
export async function readOrganisationSettings(db: Db): Promise<OrganisationSettings> {
  const [row] = await db.select().from(organisationSettings);
  return row
    ? present(row)
    : { machineDetection: true, voicemailDrop: false, firstCallMinutes: firstCallMinutes.usual };
}

/** Keeps what is sent. What changed by it stands in the audit, with what it was. */
export async function changeOrganisationSettings(
  database: Database,
  { userId, sent }: { userId: number; sent: Partial<OrganisationSettings> },
): Promise<OrganisationSettings> {
  return database.transaction(async (tx) => {
    await tx.insert(organisationSettings).values({}).onConflictDoNothing();
    const [before] = await tx.select().from(organisationSettings).for("update");
    if (!before) throw new Error("the organisation's settings were not kept");
    const after = { ...present(before), ...sent };
    const changed = (Object.keys(after) as (keyof OrganisationSettings)[]).filter(
      (name) => after[name] !== before[name],
    );
    if (changed.length === 0) return after;
    await tx.update(organisationSettings).set(after).where(eq(organisationSettings.id, before.id));
    const changes = Object.fromEntries(
      changed.map((name) => [name, { before: before[name], after: after[name] }]),
    );
    await recordAudit(tx, { userId, action: "organisation-changed", data: { changes } });
    return after;
  });
}
