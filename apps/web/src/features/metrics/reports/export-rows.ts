import type {
  CallsReport,
  LeadsReport,
  OverviewReport,
  PerformanceReport,
  ReportMetric,
  ReportPeriod,
} from "@portal/contract/entities/report";
import { percentagesOf, roundPercent } from "../../../lib/format-percent.ts";
import { messagesOf } from "../../../lib/i18n.ts";
import { leadLabelMessages } from "../../../lib/lead-label-messages.ts";
import { outcomeMessages } from "../../telephony/call/messages.ts";
import {
  callsByHour,
  firstCallName,
  formatHour,
  formatWeekday,
  funnelStatuses,
  minutesOf,
  shownOutcomes,
  shownStatuses,
  trendOf,
} from "./format-metrics.ts";
import { sourceRows } from "./leads-report.tsx";
import { metricMessages } from "./messages.ts";
import { performanceRows, readSort } from "./performance-table.tsx";

type Cell = string | number | null;
/** A report as a table: headings and rows. Figures are plain numbers for further calculation. */
export interface ExportTable {
  fields: string[];
  data: Cell[][];
}

/** Collects one row per figure: section, item, figure, value, previous period, change in percent. */
function longTable() {
  const t = messagesOf(metricMessages);
  const data: Cell[][] = [];
  return {
    fields: [t("section"), t("item"), t("figure"), t("amount"), t("previous"), t("change")],
    data,
    card(item: string, figure: ReportMetric, shown: (value: number) => Cell = (value) => value): void {
      const [value, previous] = [figure.value, figure.previous].map((of) => (of === null ? null : shown(of)));
      data.push([
        t("summary"),
        item,
        item,
        value ?? null,
        previous ?? null,
        trendOf(figure)?.percent ?? null,
      ]);
    },
    row(section: string, item: string, figure: string, value: Cell): void {
      data.push([section, item, figure, value, null, null]);
    },
    /** Adds parts of a whole with their percentages. */
    parts(section: string, figure: string, parts: readonly { name: string; count: number }[]): void {
      const shares = percentagesOf(parts.map(({ count }) => count));
      for (const [index, { name, count }] of parts.entries()) {
        this.row(section, name, figure, count);
        this.row(section, name, t("percent"), roundPercent(shares[index] ?? 0));
      }
    },
  };
}

/** Title of a section that only counts leads created in the period. */
function sectionOf(title: string, { range }: ReportPeriod): string {
  return range === "all" ? title : `${title} (${messagesOf(metricMessages)("ofCreated")})`;
}

function outcomeParts(outcomes: CallsReport["outcomes"]) {
  const t = messagesOf(metricMessages);
  const name = messagesOf(outcomeMessages);
  return shownOutcomes(outcomes).map(({ outcome, calls }) => ({
    name: outcome ? name(outcome) : t("noOutcome"),
    count: calls,
  }));
}

function statusParts(statuses: LeadsReport["statuses"]) {
  const name = messagesOf(leadLabelMessages);
  return statuses.map(({ status, leads }) => ({ name: name(status), count: leads }));
}

export function overviewTable(report: OverviewReport): ExportTable {
  const t = messagesOf(metricMessages);
  const table = longTable();
  table.card(t("totalCalls"), report.totalCalls);
  table.card(t("answeredCalls"), report.answeredCalls);
  table.card(t("conversionRatePercent"), report.conversionRate, roundPercent);
  table.card(t("talkMinutes"), report.talkSeconds, minutesOf);
  table.parts(
    sectionOf(t("statuses"), report.period),
    t("leads"),
    statusParts(shownStatuses(report.statuses)),
  );
  table.parts(t("outcomes"), t("calls"), outcomeParts(report.outcomes));
  for (const point of report.activity.points) {
    for (const key of ["calls", "answered", "texts", "conversions"] as const) {
      table.row(t("activity"), point.day, t(key), point[key]);
    }
  }
  return table;
}

export function callsTable(report: CallsReport): ExportTable {
  const t = messagesOf(metricMessages);
  const table = longTable();
  table.card(t("totalCalls"), report.totalCalls);
  table.card(t("answerRatePercent"), report.answerRate, roundPercent);
  table.card(t("talkMinutes"), report.talkSeconds, minutesOf);
  table.card(t("talkSeconds"), report.averageTalkSeconds, Math.round);
  for (const { weekday, hour, calls, answered } of report.hours) {
    const item = `${formatWeekday(weekday, "long")} ${formatHour(hour)}`;
    table.row(t("heat"), item, t("calls"), calls);
    table.row(t("heat"), item, t("answered"), answered);
  }
  for (const { hour, calls, answered } of callsByHour(report.hours)) {
    table.row(t("byHour"), formatHour(hour), t("calls"), calls);
    table.row(t("byHour"), formatHour(hour), t("answered"), answered);
  }
  table.parts(t("outcomes"), t("calls"), outcomeParts(report.outcomes));
  table.parts(t("directions"), t("calls"), [
    { name: t("outbound"), count: report.outbound },
    { name: t("inbound"), count: report.inbound },
  ]);
  return table;
}

export function leadsTable(report: LeadsReport): ExportTable {
  const t = messagesOf(metricMessages);
  const table = longTable();
  const { medianSeconds, neverCalled, within } = report.firstCall;
  table.card(t("newLeads"), report.leadsCreated);
  table.card(t("conversions"), report.conversions);
  table.card(t("conversionRatePercent"), report.conversionRate, roundPercent);
  table.card(t("firstCallSeconds"), { value: medianSeconds, previous: null }, Math.round);
  table.parts(
    sectionOf(t("statusFunnel"), report.period),
    t("leads"),
    statusParts(funnelStatuses(report.statuses)),
  );
  table.parts(sectionOf(t("firstCall"), report.period), t("leads"), [
    ...within.map(({ minutes, leads }) => ({ name: firstCallName(minutes), count: leads })),
    { name: t("neverCalled"), count: neverCalled },
  ]);
  const sources = sectionOf(t("sources"), report.period);
  for (const { name, leads, share, converted } of sourceRows(report)) {
    table.row(sources, name, t("leads"), leads);
    table.row(sources, name, t("percent"), roundPercent(share));
    if (converted !== null) table.row(sources, name, t("converted"), converted);
  }
  return table;
}

/** One row per consultant, in the shown order. */
export function performanceTable(report: PerformanceReport, sort: string | undefined): ExportTable {
  const t = messagesOf(metricMessages);
  return {
    fields: [
      t("consultant"),
      t("leads"),
      t("calls"),
      t("answered"),
      t("answerRatePercent"),
      t("talkMinutes"),
      t("texts"),
      t("conversions"),
      t("value"),
    ],
    data: performanceRows(report, readSort(sort)).map((row) => [
      row.name,
      row.leads,
      row.calls,
      row.answered,
      row.answerRate === null ? null : roundPercent(row.answerRate),
      minutesOf(row.talkSeconds),
      row.texts,
      row.conversions,
      row.conversionValue,
    ]),
  };
}
