import { holdLock } from "../../../apps/server/src/platform/db/advisory-locks.ts";
import { openDatabase, type Tx } from "../../../apps/server/src/platform/db/client.ts";
import { migrateDatabase } from "../../../apps/server/src/platform/db/migrate.ts";
import { hashDemoPasswords, seedDemo } from "../../../apps/server/src/platform/db/seed-demo.ts";
import { generateWorld } from "./generate.ts";
import { sandboxHistory } from "./sandbox-history.ts";
import { crmUsers, isUnused } from "./unused.ts";
import type { Person } from "./world.ts";
import { writePortal } from "./write-portal.ts";

async function findPeople(tx: Tx): Promise<Person[]> {
  const { rows } = await tx.$client.query<{ id: number; name: string; email: string; phone: string | null }>(
    "select id, name, email, personal_phone_e164 as phone from users",
  );
  return crmUsers.map(({ email, crmUserId }) => {
    const row = rows.find((each) => each.email === email);
    if (!row) throw new Error(`The demo's account ${email} is missing.`);
    const { name, ...person } = row;
    return { ...person, crmUserId, firstName: name.split(" ")[0] ?? name };
  });
}

async function fillSandbox(sandboxUrl: string, history: object): Promise<void> {
  const answer = await fetch(`${sandboxUrl}/control/history`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(history),
  });
  if (!answer.ok) throw new Error(`The sandbox did not take the demo's history: ${await answer.text()}`);
}

/**
 * Fills an unused database and the sandbox with the same sixty days; a used database, even one filled by this, is not changed. The sandbox
 * is filled within the database's transaction: if anything fails, the next start finds an unused database and fills both again. Of several
 * concurrent calls one fills. Returns whether it did. Errors: in production.
 */
export async function fillDemo(options: {
  databaseUrl: string;
  sandboxUrl: string;
  timeZone: string;
  production: boolean;
  now?: Date;
  seed?: string;
  /** Fewer than sixty, if less is enough. */
  days?: number;
  /** Called when all data is written, and only the database's statistics are missing. */
  onFilled?: () => void;
}): Promise<boolean> {
  if (options.production) throw new Error("There is no demo in production.");
  const hashed = hashDemoPasswords();
  await migrateDatabase(options.databaseUrl);
  const database = openDatabase({
    url: options.databaseUrl,
    poolSize: 2,
    answerMs: 60_000,
    onError: () => undefined,
  });
  try {
    await seedDemo(database, hashed);
    const filled = await database.transaction(async (tx) => {
      await holdLock(tx.$client, "demoHistory");
      if (!(await isUnused(tx.$client))) return false;
      const [ana, luis, sofia, admin] = (await findPeople(tx)) as [Person, Person, Person, Person];
      const { timeZone, now = new Date(), seed = "portal", days } = options;
      const world = generateWorld({ seed, now, timeZone, reps: [ana, luis, sofia], admin, days });
      await fillSandbox(options.sandboxUrl, sandboxHistory(world));
      await writePortal(tx, world);
      return true;
    });
    if (filled) options.onFilled?.();
    // So that the planner knows the tables from the first query on.
    if (filled) await database.pool.query("analyze");
    return filled;
  } finally {
    await database.close();
  }
}
