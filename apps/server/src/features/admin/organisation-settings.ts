import type { OrganisationSettings } from "@portal/contract/entities/settings";
import { eq } from "drizzle-orm";
import type { Database, Db } from "../../platform/db/client.ts";
import { organisationSettings } from "../../platform/db/schema/organisation.ts";
import { recordAudit } from "../activity/audit.ts";

type Row = typeof organisationSettings.$inferSelect;

const present = ({ machineDetection }: Row): OrganisationSettings => ({ machineDetection });

/** What holds for everybody; where nobody has set anything, what the table begins with. */
export async function readOrganisationSettings(db: Db): Promise<OrganisationSettings> {
  const [row] = await db.select().from(organisationSettings);
  return row ? present(row) : { machineDetection: true };
}

/** Keeps what is sent. What changed by it stands in the audit, with what it was. */
export async function changeOrganisationSettings(
  database: Database,
  { userId, sent }: { userId: number; sent: { [Name in keyof OrganisationSettings]?: boolean | undefined } },
): Promise<OrganisationSettings> {
  return database.transaction(async (tx) => {
    await tx.insert(organisationSettings).values({}).onConflictDoNothing();
    const [before] = await tx.select().from(organisationSettings).for("update");
    if (!before) throw new Error("the organisation's settings were not kept");
    const machineDetection = sent.machineDetection ?? before.machineDetection;
    if (machineDetection === before.machineDetection) return present(before);
    await tx
      .update(organisationSettings)
      .set({ machineDetection })
      .where(eq(organisationSettings.id, before.id));
    const changes = { machineDetection: { before: before.machineDetection, after: machineDetection } };
    await recordAudit(tx, { userId, action: "organisation-changed", data: { changes } });
    return { machineDetection };
  });
}
