import { leadStatuses } from "@portal/contract/entities/lead";
import type { ActivityPoint, OverviewReport } from "@portal/contract/entities/report";
import type { Db } from "../../db/client.ts";
import { chartActivity } from "./activity.ts";
import { type FigureRow, sumFigures } from "./data-figures.ts";
import type { Period } from "./data-period.ts";
import type { ReportScope } from "./data-sources.ts";
import { outcomesOf, presentPeriod, ratioFigure, sumFigure, tally } from "./present.ts";

function countsOf({ kind, label, n }: FigureRow): Partial<ActivityPoint> {
  if (kind === "call") return { calls: n, answered: label === "answered" ? n : 0 };
  if (kind === "text") return { texts: n };
  return kind === "conversion" ? { conversions: n } : {};
}

function activityOf(rows: FigureRow[], { start, today }: Period): OverviewReport["activity"] {
  const days = rows
    .filter(({ part, kind }) => part === "now" && kind !== "lead")
    .map((row) => ({ ...countsOf(row), day: row.bucket }))
    .sort((a, b) => (a.day < b.day ? -1 : 1));
  const [earliest = today, latest = today] = [days.at(0)?.day, days.at(-1)?.day];
  const first = start?.now.day ?? (earliest < today ? earliest : today);
  return chartActivity({ first, last: latest > today ? latest : today, days });
}

/** Report type `overview`. */
export async function reportOverview(
  db: Db,
  { scope, period }: { scope: ReportScope; period: Period },
): Promise<OverviewReport> {
  const kinds = ["call", "text", "conversion", "lead"] as const;
  const rows = await sumFigures(db, { kinds: kinds, scope, period, bucket: "day", before: true });
  const figures = tally(rows, period);
  return {
    period: presentPeriod(period),
    totalCalls: sumFigure(figures, { kind: "call" }),
    answeredCalls: sumFigure(figures, { kind: "call", label: "answered" }),
    conversionRate: ratioFigure(figures, { kind: "conversion" }, { kind: "lead" }, 100),
    talkSeconds: sumFigure(figures, { kind: "call", of: "amount" }),
    conversions: figures.sum("now", { kind: "conversion" }),
    leadsCreated: figures.sum("now", { kind: "lead" }),
    statuses: leadStatuses.map((status) => ({
      status,
      leads: figures.sum("now", { kind: "lead", label: status }),
    })),
    outcomes: outcomesOf(figures),
    activity: activityOf(rows, period),
  };
}
