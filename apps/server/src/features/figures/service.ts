import type { Db } from "../../db/client.ts";
import type { Ticker } from "../../jobs/ticker.ts";

const roundMs = 15_000;
/** Changes added up in one transaction. */
const batch = 20_000;

/**
 * Sees to it that the figures count the days of the organisation's zone: they are counted anew where it is another than before. Rows of
 * calls, texts and leads cannot be written meanwhile (seconds for millions of them). All processes of a database share one zone.
 */
export async function countDaysOf(db: Db, timeZone: string): Promise<void> {
  const { rows } = await db.$client.query<{ timeZone: string }>(
    `select time_zone as "timeZone" from figure_state`,
  );
  if (rows[0]?.timeZone !== timeZone) await db.$client.query("select recount_figures($1)", [timeZone]);
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
