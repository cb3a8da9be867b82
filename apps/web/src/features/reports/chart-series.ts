/** One step or row of a chart. */
export interface ChartPoint {
  /** Unlike any other. */
  key: string;
  /** Below the axis. */
  label: string;
  /** In the tooltip; the label where absent. */
  fullLabel?: string;
  calls: number;
  answered: number;
  texts?: number;
  conversions?: number;
}

/** Bars are calls, of which the solid part was answered; texts and conversions are lines, each with marks of its own. */
export const barSeries = ["calls", "answered"] as const;
export const lineSeries = ["texts", "conversions"] as const;
export type SeriesKey = (typeof barSeries)[number] | (typeof lineSeries)[number];

export const seriesColors: Record<SeriesKey, string> = {
  calls: "var(--primary)",
  answered: "var(--primary)",
  texts: "var(--chart-texts)",
  conversions: "var(--chart-conversions)",
};

/** Path of a mark of so many px around the origin: texts are rings, conversions diamonds, so that colour is not all that tells. */
export function markPath(series: "texts" | "conversions", size: number): string {
  const r = size / 2;
  if (series === "texts") return `M${-r},0a${r},${r} 0 1,0 ${size},0a${r},${r} 0 1,0 ${-size},0z`;
  return `M0,${-r - 1}L${r + 1},0L0,${r + 1}L${-r - 1},0z`;
}
