import { useLateModule } from "../../../lib/use-late-module.ts";
import { Skeleton } from "../../../ui/skeleton.tsx";
import type { SeriesChartProps } from "./series-chart.tsx";

const load = () => import("./series-chart.tsx");

/** The chart, whose library comes only once one is shown. */
export function LateChart(props: SeriesChartProps) {
  const module = useLateModule(load, true);
  return module ? <module.SeriesChart {...props} /> : <Skeleton className="h-65" />;
}
