import type { CallsReport, ReportRange } from "@portal/contract/entities/report";
import { useTexts } from "../../../lib/i18n.ts";
import { callRows } from "../../../lib/rows.ts";
import { BarList, type BarTone } from "../../../ui/bar-list.tsx";
import { outcomeTexts } from "../../call-dialog/texts.ts";
import { shownOutcomes } from "../shown-figures.ts";
import { figureTexts, reportTexts } from "../texts.ts";
import { ReportCard } from "./report-card.tsx";

type Outcome = CallsReport["outcomes"][number]["outcome"];

const tones: Record<NonNullable<Outcome>, BarTone> = {
  answered: "success",
  completed: "success",
  voicemail: "info",
  busy: "warning",
  no_answer: "neutral",
  wrong_number: "danger",
  disconnected: "danger",
};

/** How calls ended: the four recorded outcomes, others where there are any. */
export function OutcomeBars({ outcomes, range }: Pick<CallsReport, "outcomes"> & { range: ReportRange }) {
  const t = useTexts(reportTexts);
  const figure = useTexts(figureTexts);
  const name = useTexts(outcomeTexts);
  const shown = shownOutcomes(outcomes);
  return (
    <ReportCard
      title={figure("outcomes")}
      emptyHint={shown.every(({ calls }) => calls === 0) ? t("noDataCalls") : null}
    >
      <BarList
        label={figure("outcomes")}
        bars={shown.map(({ outcome, calls }) => ({
          key: outcome ?? "none",
          label: outcome ? name(outcome) : figure("noOutcome"),
          count: calls,
          tone: outcome ? tones[outcome] : "warning",
          rows: callRows({ range, outcome: outcome ?? "none" }),
        }))}
      />
    </ReportCard>
  );
}
