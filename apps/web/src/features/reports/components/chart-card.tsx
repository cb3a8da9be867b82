import { ChartColumn, Table2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { reportTexts } from "../texts.ts";
import { ReportCard } from "./report-card.tsx";

interface ChartCardProps {
  title: string;
  subtitle?: ReactNode;
  emptyHint: string | null;
  legend: ReactNode;
  chart: ReactNode;
  /** The same figures as a table. */
  table: ReactNode;
}

/** A chart that can be read as a table as well, by whoever likes that better. */
export function ChartCard({ legend, chart, table, ...card }: ChartCardProps) {
  const t = useTexts(reportTexts);
  const [isTable, setTable] = useState(false);
  return (
    <ReportCard
      {...card}
      action={
        <Button variant="ghost" size="sm" className="-me-2" onClick={() => setTable(!isTable)}>
          {isTable ? <ChartColumn aria-hidden /> : <Table2 aria-hidden />}
          {t(isTable ? "showChart" : "showTable")}
        </Button>
      }
    >
      {isTable ? (
        table
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          {legend}
          {chart}
        </div>
      )}
    </ReportCard>
  );
}
