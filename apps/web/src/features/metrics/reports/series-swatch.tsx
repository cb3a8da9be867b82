import { useId } from "react";

/** A step or row of a chart. */
export interface ChartPoint {
  /** Unique key. */
  key: string;
  /** Label below the axis. */
  label: string;
  /** Label in the tooltip; `label` if absent. */
  fullLabel?: string;
  calls: number;
  answered: number;
  texts?: number;
  conversions?: number;
}

/** Bars show calls, their solid part the answered ones; SMS and conversions are lines with distinct marks. */
export const barSeries = ["calls", "answered"] as const;
export const lineSeries = ["texts", "conversions"] as const;
export type SeriesKey = (typeof barSeries)[number] | (typeof lineSeries)[number];

export const seriesColors: Record<SeriesKey, string> = {
  calls: "var(--primary)",
  answered: "var(--primary)",
  texts: "var(--chart-texts)",
  conversions: "var(--chart-conversions)",
};

/** SVG path of a mark with this size in px: SMS are rings, conversions diamonds, so that colour is not the only difference. */
export function markPath(series: "texts" | "conversions", size: number): string {
  const r = size / 2;
  if (series === "texts") return `M${-r},0a${r},${r} 0 1,0 ${size},0a${r},${r} 0 1,0 ${-size},0z`;
  return `M0,${-r - 1}L${r + 1},0L0,${r + 1}L${-r - 1},0z`;
}

/** Pattern of calls that were not answered. */
export function Hatch({ id }: { id: string }) {
  return (
    <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="5" height="5" fill="var(--primary-soft)" />
      <line x1="0" y1="0" x2="0" y2="5" stroke="var(--primary)" strokeWidth="2" />
    </pattern>
  );
}

/** A small sample of a series for the legend. */
export function SeriesSwatch({ series }: { series: SeriesKey }) {
  const hatch = useId();
  const color = seriesColors[series];
  if (series === "calls" || series === "answered") {
    return (
      <svg aria-hidden="true" width="14" height="14" className="shrink-0">
        <defs>
          <Hatch id={hatch} />
        </defs>
        <rect
          x="1"
          y="1"
          width="12"
          height="12"
          rx="2"
          stroke={color}
          fill={series === "calls" ? `url(#${hatch})` : color}
        />
      </svg>
    );
  }
  return (
    <svg aria-hidden="true" width="22" height="14" className="shrink-0">
      <line
        x1="0"
        x2="22"
        y1="7"
        y2="7"
        stroke={color}
        strokeWidth="2"
        {...(series === "texts" && { strokeDasharray: "4 3" })}
      />
      <path
        d={markPath(series, 7)}
        transform="translate(11 7)"
        stroke={color}
        strokeWidth="1.5"
        fill={series === "texts" ? "var(--surface)" : color}
      />
    </svg>
  );
}
