import { leadStatuses } from "@portal/contract/entities/lead";
import { firstCallMinutes, type LeadsReport } from "@portal/contract/entities/report";
import type { Db } from "../../db/client.ts";
import { type FigureRow, sumFigures } from "./data-figures.ts";
import { countConvertedSources, sumFirstCalls } from "./data-leads.ts";
import type { Period } from "./data-period.ts";
import type { ReportScope } from "./data-sources.ts";
import { presentPeriod, ratioFigure, sumFigure, tally } from "./present.ts";
import { rankSources } from "./rank-sources.ts";

/** Bands of the time to the first call, from those who were called within so many minutes. */
function bandsOf(called: number, within: number[]): LeadsReport["firstCall"]["within"] {
  const upTo = [...within, called];
  return firstCallMinutes.map((minutes, index) => ({
    minutes,
    leads: (upTo[index] ?? 0) - (upTo[index - 1] ?? 0),
  }));
}

function sourcesOfLeads(rows: FigureRow[], converted: Map<string, number>) {
  const { named, further } = rankSources(rows, "now");
  return {
    sources: named.map(({ label, n }) => ({
      source: label || null,
      leads: n,
      converted: converted.get(label) ?? 0,
    })),
    otherSources: further.reduce((sum, { n }) => sum + n, 0),
  };
}

/** Report type `leads`. */
export async function reportLeads(
  db: Db,
  input: { scope: ReportScope; period: Period },
): Promise<LeadsReport> {
  const { period } = input;
  const rows = await sumFigures(db, {
    ...input,
    kinds: ["lead", "lead_source", "conversion"],
    bucket: "none",
    before: true,
  });
  const converted = await countConvertedSources(db, input);
  const minutes = firstCallMinutes.filter((limit) => limit !== null);
  const { called, median, within } = await sumFirstCalls(db, { ...input, minutes });
  const figures = tally(rows, period);
  return {
    period: presentPeriod(period),
    leadsCreated: sumFigure(figures, { kind: "lead" }),
    conversions: sumFigure(figures, { kind: "conversion" }),
    conversionRate: ratioFigure(figures, { kind: "conversion" }, { kind: "lead" }, 100),
    statuses: leadStatuses.map((status) => ({
      status,
      leads: figures.sum("now", { kind: "lead", label: status }),
    })),
    ...sourcesOfLeads(rows, converted),
    firstCall: {
      medianSeconds: median,
      called,
      neverCalled: figures.sum("now", { kind: "lead" }) - called,
      within: bandsOf(called, within),
    },
  };
}
