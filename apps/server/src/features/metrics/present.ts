import { loggedOutcomes } from "@portal/contract/entities/call";
import type { OverviewReport, ReportMetric, ReportPeriod } from "@portal/contract/entities/report";
import type { MetricRow, Period, ReportMetricKind } from "./report-repository.ts";

/** Which metrics are summed: of a kind, optionally of a label; their number or their amount. */
interface What {
  kind: ReportMetricKind;
  label?: string;
  of?: "n" | "amount";
  /** What is subtracted. */
  less?: What;
}

interface Summed {
  hasBefore: boolean;
  sum(part: MetricRow["part"], what: What): number;
}

/** Sums of metrics by kind and label, over all buckets. */
export function tally(rows: MetricRow[], period: Period): Summed {
  const sums = new Map<string, number>();
  const add = (key: string, value: number) => sums.set(key, (sums.get(key) ?? 0) + value);
  for (const { part, kind, label, n, amount } of rows) {
    for (const suffix of ["", `/${label}`]) {
      add(`${part} ${kind} n${suffix}`, n);
      add(`${part} ${kind} amount${suffix}`, amount);
    }
  }
  const sum = (part: MetricRow["part"], { kind, label, of = "n", less }: What): number =>
    (sums.get(`${part} ${kind} ${of}${label === undefined ? "" : `/${label}`}`) ?? 0) -
    (less ? sum(part, less) : 0);
  return { hasBefore: period.start !== null, sum };
}

export function sumMetric(figures: Summed, what: What): ReportMetric {
  return {
    value: figures.sum("now", what),
    previous: figures.hasBefore ? figures.sum("before", what) : null,
  };
}

function ratio(part: number, whole: number, times: number): number | null {
  return whole === 0 ? null : (times * part) / whole;
}

/** The quotient of two sums (`times` 100: in percent), for the period and the one before; null if the divisor is 0. */
export function ratioMetric(figures: Summed, part: What, whole: What, times = 1): ReportMetric {
  const of = (when: MetricRow["part"]) => ratio(figures.sum(when, part), figures.sum(when, whole), times);
  return { value: of("now"), previous: figures.hasBefore ? of("before") : null };
}

/** The outcomes that occur, most calls first. */
export function outcomesOf(figures: Summed): OverviewReport["outcomes"] {
  return [...loggedOutcomes, null]
    .map((outcome) => ({ outcome, calls: figures.sum("now", { kind: "call", label: outcome ?? "" }) }))
    .filter(({ calls }) => calls > 0)
    .sort((a, b) => b.calls - a.calls);
}

const iso = (instant: string) => new Date(instant).toISOString();

export function presentPeriod({ range, timeZone, to, start }: Period): ReportPeriod {
  return {
    range,
    from: start && iso(start.at),
    to: iso(to),
    previousFrom: start && iso(start.before.at),
    previousTo: start && iso(start.before.endAt),
    timeZone,
  };
}
