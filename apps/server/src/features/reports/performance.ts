import type { PerformanceReport } from "@portal/contract/entities/report";
import type { Db } from "../../db/client.ts";
import { listConsultants } from "./data-consultants.ts";
import { sumEveryone } from "./data-figures.ts";
import type { Period } from "./data-period.ts";
import type { ReportScope } from "./data-sources.ts";
import { presentPeriod, tally } from "./present.ts";

/** Report type `performance`: what each person did themselves, whosever the leads are now. Most calls first. */
export async function reportPerformance(
  db: Db,
  { scope, period }: { scope: ReportScope; period: Period },
): Promise<PerformanceReport> {
  const userId = scope === "everyone" ? undefined : scope.userId;
  const rows = await sumEveryone(db, {
    kinds: ["call", "text", "conversion"],
    period,
    bucket: "user",
    before: false,
    userId,
  });
  const byUser = Map.groupBy(rows, ({ bucket }) => Number(bucket));
  const people = await listConsultants(db, { userId, andIds: [...byUser.keys()] });
  const consultants = people.map((person) => {
    const did = tally(byUser.get(person.userId) ?? [], period);
    return {
      userId: person.userId,
      name: person.name,
      active: person.active,
      leads: person.leads,
      calls: did.sum("now", { kind: "call" }),
      answered: did.sum("now", { kind: "call", label: "answered" }),
      talkSeconds: did.sum("now", { kind: "call", of: "amount" }),
      texts: did.sum("now", { kind: "text", label: "outbound" }),
      conversions: did.sum("now", { kind: "conversion" }),
      conversionValue: did.sum("now", { kind: "conversion", of: "amount" }),
    };
  });
  consultants.sort((a, b) => b.calls - a.calls || a.name.localeCompare(b.name) || a.userId - b.userId);
  return { period: presentPeriod(period), consultants };
}
