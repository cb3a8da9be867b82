import type { LeadStatus } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import type { CallAnalytics } from "@portal/contract/routes/analytics";
import { PartyPopper, PhoneOff } from "lucide-react";
import { RelativeTime } from "../../../lib/clock.tsx";
import { formatDate } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Badge, type BadgeTone, StatusBadge } from "../../../ui/badge.tsx";
import { TitledCard } from "../../../ui/card.tsx";
import { LeadLink } from "../../../ui/lead-link.tsx";
import { EmptyState } from "../../../ui/list-states.tsx";
import { MetricsTable } from "../../../ui/metrics-table.tsx";
import { analyticsMessages } from "./messages.ts";

interface FrequencyCardProps {
  figures: CallAnalytics;
}

/** The most called leads, and what to do next. */
export function FrequencyCard({ figures }: FrequencyCardProps) {
  const t = useMessages(analyticsMessages);
  const leads = figures.detailedStats.callCountsByLead;
  if (leads.length === 0) {
    return (
      <TitledCard title={t("frequency")}>
        <EmptyState isInside icon={PhoneOff} title={t("noCalls")} />
      </TitledCard>
    );
  }
  const isCut = figures.totalLeads - figures.neverCalled > leads.length;
  return (
    <TitledCard title={t("frequency")} subtitle={isCut ? t("frequencyHint", { shown: leads.length }) : null}>
      <MetricsTable
        caption={t("frequency")}
        rows={leads}
        keyOf={({ leadId }) => leadId}
        columns={[
          {
            key: "lead",
            label: t("lead"),
            cell: (lead) => <LeadName lead={lead} />,
          },
          {
            key: "status",
            label: t("status"),
            isWide: true,
            cell: ({ leadStatus }) => <StatusBadge isQuiet status={leadStatus} />,
          },
          {
            key: "calls",
            label: t("calls"),
            isNumber: true,
            cell: ({ callCount }) => <CallCountBadge count={callCount} />,
          },
          {
            key: "lastCall",
            label: t("lastCall"),
            cell: ({ lastCallDate }) =>
              lastCallDate === null ? (
                "—"
              ) : (
                <time dateTime={lastCallDate} title={formatDate(lastCallDate)}>
                  <RelativeTime at={lastCallDate} />
                </time>
              ),
          },
          { key: "next", label: t("nextAction"), cell: ({ callCount }) => t(nextActionOf(callCount)) },
        ]}
      />
    </TitledCard>
  );
}

interface NeverCalledCardProps {
  figures: CallAnalytics;
  hasRange: boolean;
}

/** The first of the leads that were never called; clients are counted too but need no first contact. */
export function NeverCalledCard({ figures, hasRange }: NeverCalledCardProps) {
  const t = useMessages(analyticsMessages);
  const leads = figures.detailedStats.neverCalledLeads;
  const { neverCalled } = figures;
  if (leads.length === 0) {
    return (
      <TitledCard title={t("neverCalledLeads")}>
        <EmptyState
          icon={PartyPopper}
          title={t("greatTitle")}
          description={
            neverCalled > 0
              ? t("onlyClients", { total: neverCalled })
              : t(hasRange ? "greatTextRange" : "greatText")
          }
          isInside
        />
      </TitledCard>
    );
  }
  return (
    <TitledCard
      title={t("neverCalledLeads")}
      subtitle={neverCalled > leads.length ? t("neverCalledHint", { shown: leads.length }) : null}
    >
      <MetricsTable
        caption={t("neverCalledLeads")}
        rows={leads}
        keyOf={({ leadId }) => leadId}
        columns={[
          {
            key: "lead",
            label: t("lead"),
            cell: (lead) => <LeadName lead={lead} />,
          },
          {
            key: "status",
            label: t("status"),
            isWide: true,
            cell: ({ leadStatus }) => <StatusBadge isQuiet status={leadStatus} />,
          },
          { key: "calls", label: t("calls"), isNumber: true, cell: () => <CallCountBadge count={0} /> },
          {
            key: "recommendation",
            label: t("recommendation"),
            cell: ({ leadStatus }) => t(leadStatus === "converted" ? "alreadyClient" : "firstContact"),
          },
        ]}
      />
    </TitledCard>
  );
}

interface LeadNameProps {
  lead: { leadId: number; leadName: string; leadStatus: LeadStatus };
}

/** A lead's name, which opens its panel; on a phone with its status, as there is no column for it. */
function LeadName({ lead: { leadId, leadName, leadStatus } }: LeadNameProps) {
  const t = useMessages(analyticsMessages);
  const name = leadName || t("leadNumber", { id: String(leadId) });
  return (
    <>
      <LeadLink leadId={leadId} className="block w-fit max-w-64 text-start pointer-coarse:py-2.5">
        {name}
      </LeadLink>
      <span className="sm:hidden">
        <StatusBadge isQuiet status={leadStatus} />
      </span>
    </>
  );
}

/** Number of calls, coloured as recorded. */
function CallCountBadge({ count }: { count: number }) {
  const t = useMessages(analyticsMessages);
  return <Badge tone={callCountTone(count)}>{t("callCount", { count })}</Badge>;
}

/** The suggested action after this number of calls. */
export function nextActionOf(calls: number): "scheduleFollowUp" | "wellEngaged" | "continueCalling" {
  if (calls === 1) return "scheduleFollowUp";
  return calls >= limits.followUpCalls ? "wellEngaged" : "continueCalling";
}

/** Colours of the badge: 0 red, 1 yellow, 3 and more green, else blue. */
export function callCountTone(calls: number): BadgeTone {
  if (calls === 0) return "danger";
  if (calls === 1) return "warning";
  return calls >= limits.followUpCalls ? "success" : "info";
}
