import type { Database } from "../../db/client.ts";
import { inBatches } from "../../db/in-batches.ts";
import { insertReport, insertReports, type Report, type Reported } from "./data-logs.ts";

export type ReportKeeper = (report: Report) => Promise<Reported>;

/** Keeps reports of calls whose outcomes change nothing else, together with those of others at that moment. */
export function createReportKeeper({ db, retried }: Pick<Database, "db" | "retried">): ReportKeeper {
  const keep = inBatches(
    (reports: readonly Report[]) => retried(() => insertReports(db, reports, "skip")),
    (report) => report.clientRef ?? report,
  );
  return async (report) => {
    const reported = await keep(report);
    if (reported.knownId !== null || reported.leadExists) return reported;
    // Somebody is writing that lead, or there is none: nobody else waits for it.
    return retried(() => insertReport(db, report));
  };
}
