import type { ReportFigure } from "@portal/contract/entities/report";

export interface Trend {
  /** Whole percents of the period before: 12 is 12% more. */
  percent: number;
  direction: "up" | "down" | "level";
}

/** How a figure changed against the period before; null where there is nothing to compare with. */
export function trendOf({ value, previous }: ReportFigure): Trend | null {
  if (value === null || previous === null || previous === 0) return null;
  // Adding 0 makes a zero of -0.
  const percent = Math.round(((value - previous) * 100) / previous) + 0;
  return { percent, direction: percent > 0 ? "up" : percent < 0 ? "down" : "level" };
}
