import {
  type ReportRange,
  type ReportType,
  reportRanges,
  reportTypes,
} from "@portal/contract/entities/report";

/** Columns of the performance table. */
export const performanceColumns = [
  "name",
  "leads",
  "calls",
  "answered",
  "answerRate",
  "talkSeconds",
  "texts",
  "conversions",
  "conversionValue",
] as const;
export type PerformanceColumn = (typeof performanceColumns)[number];

/** The shown report in the address; an absent value is the default. */
export interface ReportSearch {
  readonly type?: ReportType | undefined;
  readonly range?: ReportRange | undefined;
  /** Sort order of the consultants: a column, prefixed with '-' for descending. */
  readonly sort?: string | undefined;
}

export const defaultRange: ReportRange = "week";
export const defaultType: ReportType = "overview";

/** Parses the address; unknown values are dropped. */
export function parseReportSearch(search: Record<string, unknown>): ReportSearch {
  return {
    type: reportTypes.find((type) => type === search.type),
    range: reportRanges.find((range) => range === search.range),
    sort: performanceColumns.some((column) => search.sort === column || search.sort === `-${column}`)
      ? String(search.sort)
      : undefined,
  };
}
