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

/** Which report is shown, as it stands in the address; an absent value means the default. */
export interface ReportSearch {
  readonly type?: ReportType | undefined;
  readonly range?: ReportRange | undefined;
  /** Order of the consultants: a column, with '-' before it the largest first. */
  readonly sort?: string | undefined;
}

export const defaultRange: ReportRange = "week";
export const defaultType: ReportType = "overview";

/** Reads the address; what it does not know is left out. */
export function parseReportSearch(search: Record<string, unknown>): ReportSearch {
  return {
    type: reportTypes.find((type) => type === search.type),
    range: reportRanges.find((range) => range === search.range),
    sort: performanceColumns.some((column) => search.sort === column || search.sort === `-${column}`)
      ? String(search.sort)
      : undefined,
  };
}
