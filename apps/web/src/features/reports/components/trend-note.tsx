import type { ReportFigure } from "@portal/contract/entities/report";
import { ArrowDownRight, ArrowRight, ArrowUpRight } from "lucide-react";
import { cn } from "../../../lib/cn.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { formatChange } from "../format-figures.ts";
import { reportTexts } from "../texts.ts";
import { trendOf } from "../trend.ts";

const looks = {
  up: { icon: ArrowUpRight, className: "text-success-text" },
  down: { icon: ArrowDownRight, className: "text-danger-text" },
  level: { icon: ArrowRight, className: "" },
};

/** '+12% from last period', or that there is nothing to compare with. */
export function TrendNote({ figure }: { figure: ReportFigure }) {
  const t = useTexts(reportTexts);
  const trend = trendOf(figure);
  if (!trend) return t("noTrend");
  const { icon: Icon, className } = looks[trend.direction];
  return (
    <span className={cn("inline-flex items-start gap-1", className)}>
      <Icon aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      {t("trend", { change: formatChange(trend.percent) })}
    </span>
  );
}
