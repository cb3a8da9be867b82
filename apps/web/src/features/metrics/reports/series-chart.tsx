import { type KeyboardEvent, useEffect, useId, useRef } from "react";
import {
  Bar,
  CartesianGrid,
  ComposedChart,
  Line,
  Tooltip,
  useActiveTooltipLabel,
  XAxis,
  YAxis,
} from "recharts";
import { formatNumber } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { useWidth } from "../../../lib/use-width.ts";
import { metricMessages } from "./messages.ts";
import {
  type ChartPoint,
  Hatch,
  lineSeries,
  markPath,
  type SeriesKey,
  SeriesSwatch,
  seriesColors,
} from "./series-swatch.tsx";

const columnsHeight = 260;
const rowHeight = 40;
const axisHeight = 30;
const tick = { fill: "var(--muted-foreground)", fontSize: 12 };

export interface SeriesChartProps {
  /** What the chart shows and its keys, for screen readers. */
  label: string;
  points: readonly ChartPoint[];
  series: readonly SeriesKey[];
  /** Vertical bars, or horizontal ones with room for names. */
  layout: "columns" | "rows";
  /** Opens the rows of a bar; Enter opens all its calls. */
  onOpen?: ((point: ChartPoint, series: "calls" | "answered") => void) | undefined;
}

/** Calls with answered calls, SMS and conversions over time, by hour or by consultant. */
export function SeriesChart({ label, points, series, layout, onOpen }: SeriesChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const hatch = useId();
  const active = useRef<string | null>(null);
  const data = points.map((point) => ({ ...point, unanswered: point.calls - point.answered }));
  const labelOf = (key: unknown) => points.find((point) => point.key === key)?.label ?? "";
  const isRows = layout === "rows";
  const open = (key: unknown, of: "calls" | "answered") => {
    const point = points.find((candidate) => candidate.key === key);
    if (point) onOpen?.(point, of);
  };
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Enter" || active.current === null || !onOpen) return;
    event.stopPropagation();
    open(active.current, "calls");
  }
  const category = {
    type: "category",
    dataKey: "key",
    tickFormatter: labelOf,
    tick,
    tickLine: false,
    axisLine: { stroke: "var(--border)" },
  } as const;
  const amounts = {
    type: "number",
    allowDecimals: false,
    tick,
    tickLine: false,
    axisLine: false,
    tickFormatter: (value: number) => formatNumber(value, { notation: "compact" }),
  } as const;
  const bar = {
    stackId: "calls",
    stroke: "var(--primary)",
    maxBarSize: 32,
    isAnimationActive: false,
    ...(onOpen && { cursor: "pointer" }),
  };
  return (
    <div ref={frame} onKeyDownCapture={onKeyDown} className="min-w-0 text-xs [&_svg]:outline-offset-2">
      {width > 0 ? (
        <ComposedChart
          width={width}
          height={isRows ? points.length * rowHeight + axisHeight : columnsHeight}
          data={data}
          layout={isRows ? "vertical" : "horizontal"}
          margin={{ top: 8, right: isRows ? 16 : 4, bottom: 0, left: 0 }}
          aria-label={label}
        >
          <defs>
            <Hatch id={hatch} />
          </defs>
          <CartesianGrid vertical={isRows} horizontal={!isRows} stroke="var(--border)" />
          {isRows ? (
            <XAxis {...amounts} height={axisHeight} />
          ) : (
            <XAxis {...category} height={axisHeight} minTickGap={14} interval="preserveStartEnd" />
          )}
          {isRows ? (
            <YAxis {...category} width={Math.min(160, width / 3)} interval={0} />
          ) : (
            <YAxis {...amounts} width={36} />
          )}
          <Tooltip
            isAnimationActive={false}
            cursor={{ stroke: "var(--input)", strokeDasharray: "2 3" }}
            content={({ active: isShown, label: key }) => {
              const point = isShown ? points.find((candidate) => candidate.key === key) : undefined;
              return point ? <PointFigures point={point} series={series} /> : null;
            }}
          />
          <Bar
            {...bar}
            dataKey="answered"
            fill="var(--primary)"
            onClick={({ payload }) => open((payload as ChartPoint | undefined)?.key, "answered")}
          />
          <Bar
            {...bar}
            dataKey="unanswered"
            fill={`url(#${hatch})`}
            radius={isRows ? [0, 3, 3, 0] : [3, 3, 0, 0]}
            onClick={({ payload }) => open((payload as ChartPoint | undefined)?.key, "calls")}
          />
          {lineSeries
            .filter((key) => series.includes(key))
            .map((key) => (
              <Line
                key={key}
                dataKey={key}
                type="linear"
                stroke={seriesColors[key]}
                strokeWidth={2}
                isAnimationActive={false}
                activeDot={false}
                dot={({ key: dotKey, cx, cy }) => (
                  <path
                    key={dotKey}
                    d={markPath(key, points.length > 15 ? 5 : 7)}
                    transform={`translate(${cx} ${cy})`}
                    stroke={seriesColors[key]}
                    strokeWidth={1.5}
                    fill={key === "texts" ? "var(--surface)" : seriesColors[key]}
                  />
                )}
                {...(key === "texts" && { strokeDasharray: "5 4" })}
              />
            ))}
          <ActivePoint onChange={(key) => (active.current = key)} />
        </ComposedChart>
      ) : (
        <div style={{ height: columnsHeight }} />
      )}
    </div>
  );
}

/** Reports the point that the arrow keys have selected. */
function ActivePoint({ onChange }: { onChange: (key: string | null) => void }) {
  const label = useActiveTooltipLabel();
  useEffect(() => {
    onChange(label === undefined ? null : String(label));
  });
  return null;
}

function PointFigures({ point, series }: { point: ChartPoint; series: readonly SeriesKey[] }) {
  const t = useMessages(metricMessages);
  return (
    <div className="grid gap-1 rounded-lg border bg-surface p-2.5 text-foreground text-sm shadow-float">
      <p className="font-medium">{point.fullLabel ?? point.label}</p>
      <ul className="grid grid-cols-[auto_1fr_auto] items-center gap-x-2 gap-y-0.5">
        {series.map((key) => (
          <li key={key} className="col-span-3 grid grid-cols-subgrid items-center">
            <span className="justify-self-center">
              <SeriesSwatch series={key} />
            </span>
            <span className="text-muted-foreground">{t(key)}</span>
            <span className="text-end font-semibold tabular-nums">{formatNumber(point[key] ?? 0)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
