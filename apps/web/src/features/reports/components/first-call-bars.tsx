import type { FirstCallBand, LeadsReport, ReportRange } from "@portal/contract/entities/report";
import { useTexts } from "../../../lib/i18n.ts";
import { leadRows, type Viewer } from "../../../lib/rows.ts";
import { BarList, type BarTone } from "../../../ui/bar-list.tsx";
import { firstCallName } from "../first-call-name.ts";
import { figureTexts, reportTexts } from "../texts.ts";
import { ReportCard } from "./report-card.tsx";

const tones: readonly BarTone[] = ["success", "primary", "warning", "neutral"];

const bandOf = (minutes: number | null) => (minutes === null ? "later" : `${minutes}`) as FirstCallBand;

interface FirstCallBarsProps {
  firstCall: LeadsReport["firstCall"];
  range: ReportRange;
  viewer: Viewer;
}

/** How soon the period's leads were first called, and how many never were. */
export function FirstCallBars({ firstCall, range, viewer }: FirstCallBarsProps) {
  const t = useTexts(reportTexts);
  const figure = useTexts(figureTexts);
  const { called, neverCalled, within } = firstCall;
  return (
    <ReportCard title={figure("firstCall")} emptyHint={called + neverCalled === 0 ? t("noDataLeads") : null}>
      <BarList
        label={figure("firstCall")}
        bars={[
          ...within.map(({ minutes, leads }, index) => ({
            key: String(minutes),
            label: firstCallName(minutes),
            count: leads,
            tone: tones[index] ?? "neutral",
            rows: leadRows(viewer, { created: range, firstCall: bandOf(minutes) }),
          })),
          {
            key: "never",
            label: figure("neverCalled"),
            count: neverCalled,
            tone: "danger",
            rows: leadRows(viewer, { created: range, called: "no" }),
          },
        ]}
      />
    </ReportCard>
  );
}
