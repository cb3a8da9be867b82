import type { Database, Db } from "../../db/client.ts";
import type { Ticker } from "../../jobs/ticker.ts";

const roundMs = 15_000;
/** Changes added up in one transaction. */
const batch = 20_000;
/** What the driver calls a statement's time limit on its own side, in ms. */
const patience = { query_timeout: 3_600_000 };

/**
 * Sees to it that the figures count the days of the organisation's zone: they are counted anew where it is another than before. Rows of
 * calls, texts and leads cannot be written meanwhile (seconds for millions of them). All processes of a database share one zone.
 */
export async function countDaysOf(
  database: Pick<Database, "db" | "transaction">,
  timeZone: string,
): Promise<void> {
  const isOf = async ({ $client }: Db) => {
    const { rows } = await $client.query<{ zone: string }>("select time_zone as zone from figure_state");
    return rows[0]?.zone === timeZone;
  };
  if (await isOf(database.db)) return;
  await database.transaction(async (tx) => {
    // It takes as long as there are rows; another process that starts waits for it, and then finds it done.
    await tx.$client.query("set local statement_timeout = 0");
    await tx.$client.query({ text: "select pg_advisory_xact_lock(4702011)", ...patience });
    if (await isOf(tx)) return;
    await tx.$client.query({ text: "select recount_figures($1)", values: [timeZone], ...patience });
  });
}

/** Adds up what changed; figures are the same before and after. Answers how many changes were taken. */
export async function addUpFigures(db: Db): Promise<number> {
  const { rows } = await db.$client.query<{ added: number }>("select add_up_figures($1) as added", [batch]);
  return rows[0]?.added ?? 0;
}

/** Keeps the list of changes short. */
export function startFigureRounds(db: Db, ticker: Ticker): void {
  ticker.every(roundMs, async () => {
    while ((await addUpFigures(db)) === batch);
  });
}
