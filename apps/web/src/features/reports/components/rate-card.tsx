import type { ReportFigure, ReportRange } from "@portal/contract/entities/report";
import { Percent } from "lucide-react";
import { useTexts } from "../../../lib/i18n.ts";
import { conversionRows, previousOf, type Viewer } from "../../../lib/rows.ts";
import { FigureCard } from "../../../ui/figure-card.tsx";
import { formatPercent } from "../format-figures.ts";
import { figureTexts } from "../texts.ts";
import { TrendNote } from "./trend-note.tsx";

interface RateCardProps {
  figure: ReportFigure;
  range: ReportRange;
  viewer: Viewer;
}

/** Leads converted in the period by leads created in it. */
export function RateCard({ figure, range, viewer }: RateCardProps) {
  const t = useTexts(figureTexts);
  const previous = previousOf(range);
  const before = previous ? conversionRows(viewer, previous) : undefined;
  return (
    <FigureCard
      label={t("conversionRate")}
      value={figure.value === null ? "—" : formatPercent(figure.value)}
      note={figure.value === null ? t("noLeadsToConvert") : <TrendNote figure={figure} rows={before} />}
      icon={Percent}
      rows={conversionRows(viewer, range)}
    />
  );
}
