import { formatNumber } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import type { RowsAddress } from "../../../lib/rows.ts";
import { RowsLink } from "../../../ui/rows-link.tsx";
import type { SeriesKey } from "../chart-series.ts";
import { figureTexts } from "../texts.ts";
import { SeriesSwatch } from "./series-swatch.tsx";

export interface LegendEntry {
  series: SeriesKey;
  total: number;
  rows?: RowsAddress | undefined;
}

/** What is drawn how, with the total of each; an entry opens its rows. */
export function ChartLegend({ entries }: { entries: readonly LegendEntry[] }) {
  const t = useTexts(figureTexts);
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
      {entries.map(({ series, total, rows }) => (
        <li key={series} className="inline-flex items-center gap-2">
          <SeriesSwatch series={series} />
          <RowsLink rows={rows} className="pointer-coarse:py-3">
            {t(series)} <span className="font-semibold tabular-nums">{formatNumber(total)}</span>
          </RowsLink>
        </li>
      ))}
    </ul>
  );
}
