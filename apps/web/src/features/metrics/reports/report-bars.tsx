import type { CallsReport, FirstCallBand, LeadsReport, ReportRange } from "@portal/contract/entities/report";
import { callsLink, leadsLink, type Viewer } from "../../../lib/drill-down.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { leadLabelMessages, statusTones } from "../../../lib/lead-label-messages.ts";
import { BarList, type BarTone } from "../../../ui/bar-list.tsx";
import { outcomeMessages } from "../../telephony/call/messages.ts";
import { firstCallName, shownOutcomes } from "./format-metrics.ts";
import { metricMessages, reportMessages } from "./messages.ts";
import { ReportCard } from "./report-view.tsx";

type Outcome = CallsReport["outcomes"][number]["outcome"];

const tones: Record<NonNullable<Outcome>, BarTone> = {
  answered: "success",
  completed: "success",
  voicemail: "info",
  busy: "warning",
  no_answer: "neutral",
  wrong_number: "danger",
  disconnected: "danger",
  not_connected: "warning",
};

/** Outcomes of the calls: the four recorded ones, and others that occur. */
export function OutcomeBars({ outcomes, range }: Pick<CallsReport, "outcomes"> & { range: ReportRange }) {
  const t = useMessages(reportMessages);
  const figure = useMessages(metricMessages);
  const name = useMessages(outcomeMessages);
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
          rows: callsLink({ range, outcome: outcome ?? "none" }),
        }))}
      />
    </ReportCard>
  );
}

interface StatusBarsProps {
  title: string;
  statuses: LeadsReport["statuses"];
  range: ReportRange;
  viewer: Viewer;
}

/** Leads created in the period by their current status, with percentages. */
export function StatusBars({ title, statuses, range, viewer }: StatusBarsProps) {
  const t = useMessages(reportMessages);
  const figure = useMessages(metricMessages);
  const name = useMessages(leadLabelMessages);
  return (
    <ReportCard
      title={title}
      subtitle={figure(range === "all" ? "ofAllByStatus" : "ofCreatedByStatus")}
      emptyHint={statuses.every(({ leads }) => leads === 0) ? t("noDataLeads") : null}
    >
      <BarList
        label={title}
        bars={statuses.map(({ status, leads }) => ({
          key: status,
          label: name(status),
          count: leads,
          tone: statusTones[status],
          rows: leadsLink(viewer, { status, created: range }),
        }))}
      />
    </ReportCard>
  );
}

const bandTones: readonly BarTone[] = ["success", "primary", "warning", "neutral"];

const bandOf = (minutes: number | null) => (minutes === null ? "later" : `${minutes}`) as FirstCallBand;

interface FirstCallBarsProps {
  firstCall: LeadsReport["firstCall"];
  range: ReportRange;
  viewer: Viewer;
}

/** Time to the first call of the period's leads, and how many were never called. */
export function FirstCallBars({ firstCall, range, viewer }: FirstCallBarsProps) {
  const t = useMessages(reportMessages);
  const figure = useMessages(metricMessages);
  const { called, neverCalled, within } = firstCall;
  return (
    <ReportCard
      title={figure("firstCall")}
      subtitle={range === "all" ? null : figure("ofCreated")}
      emptyHint={called + neverCalled === 0 ? t("noDataLeads") : null}
    >
      <BarList
        label={figure("firstCall")}
        bars={[
          ...within.map(({ minutes, leads }, index) => ({
            key: String(minutes),
            label: firstCallName(minutes),
            count: leads,
            tone: bandTones[index] ?? "neutral",
            rows: leadsLink(viewer, { created: range, firstCall: bandOf(minutes) }),
          })),
          {
            key: "never",
            label: figure("neverCalled"),
            count: neverCalled,
            tone: "danger",
            rows: leadsLink(viewer, { created: range, called: "no" }),
          },
        ]}
      />
    </ReportCard>
  );
}
