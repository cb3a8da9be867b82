import type { CallsReport } from "@portal/contract/entities/report";
import type { Db } from "../../db/client.ts";
import { type FigureRow, sumFigures } from "./data-figures.ts";
import type { Period } from "./data-period.ts";
import type { ReportScope } from "./data-sources.ts";
import { outcomesOf, presentPeriod, ratioFigure, sumFigure, tally } from "./present.ts";

function hoursOf(rows: FigureRow[]): CallsReport["hours"] {
  const hours = new Map<string, CallsReport["hours"][number]>();
  for (const { part, kind, bucket, label, n } of rows) {
    if (part === "before" || kind === "call" || kind === "inbound_call") continue;
    const key = `${bucket} ${label}`;
    const hour = hours.get(key) ?? { weekday: Number(bucket), hour: Number(label), calls: 0, answered: 0 };
    hours.set(key, hour);
    if (kind === "call_hour") hour.calls = n;
    else hour.answered = n;
  }
  return [...hours.values()].sort((a, b) => a.weekday - b.weekday || a.hour - b.hour);
}

/** Report type `calls`. */
export async function reportCalls(
  db: Db,
  input: { scope: ReportScope; period: Period },
): Promise<CallsReport> {
  const { period } = input;
  const rows = await sumFigures(db, {
    ...input,
    kinds: ["call", "call_hour", "answered_hour", "inbound_call"],
    bucket: "weekday",
    before: true,
  });
  const figures = tally(rows, period);
  const inbound = figures.sum("now", { kind: "inbound_call" });
  const answered = { kind: "call", label: "answered" } as const;
  const talk = { kind: "call", of: "amount" } as const;
  return {
    period: presentPeriod(period),
    totalCalls: sumFigure(figures, { kind: "call" }),
    contactRate: ratioFigure(figures, answered, { kind: "call" }, 100),
    talkSeconds: sumFigure(figures, talk),
    averageTalkSeconds: ratioFigure(figures, { ...answered, of: "amount" }, answered),
    outbound: figures.sum("now", { kind: "call" }) - inbound,
    inbound,
    outcomes: outcomesOf(figures),
    hours: hoursOf(rows),
  };
}
