import type { ReportFigure } from "@portal/contract/entities/report";
import { ArrowDownRight, ArrowRight, ArrowUpRight } from "lucide-react";
import { cn } from "../../../lib/cn.ts";
import { useTexts } from "../../../lib/i18n.ts";
import type { RowsAddress } from "../../../lib/rows.ts";
import { RowsLink } from "../../../ui/rows-link.tsx";
import { formatChange } from "../format-figures.ts";
import { reportTexts } from "../texts.ts";
import { trendOf } from "../trend.ts";

const looks = {
  up: { icon: ArrowUpRight, className: "text-success-text" },
  down: { icon: ArrowDownRight, className: "text-danger-text" },
  level: { icon: ArrowRight, className: "" },
};

interface TrendNoteProps {
  figure: ReportFigure;
  /** The rows of the period before, which the figure is compared with. */
  rows?: RowsAddress | undefined;
}

/** '+12% from last period', or that there is nothing to compare with. */
export function TrendNote({ figure, rows }: TrendNoteProps) {
  const t = useTexts(reportTexts);
  const trend = trendOf(figure);
  if (!trend) return t("noTrend");
  const { icon: Icon, className } = looks[trend.direction];
  return (
    // Above the card's own link, which lies over all of it.
    <RowsLink
      rows={rows}
      title={rows && t("trendRows")}
      className={cn("relative z-10 inline-flex items-start gap-1 pointer-coarse:py-2", className)}
    >
      <Icon aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      {t("trend", { change: formatChange(trend.percent) })}
    </RowsLink>
  );
}
