import type { CallAnalytics } from "@portal/contract/routes/analytics";
import { formatDate, formatRelative } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { FigureTable } from "../../../ui/figure-table.tsx";
import { TitledCard } from "../../../ui/titled-card.tsx";
import { nextActionOf } from "../next-action.ts";
import { analyticsTexts } from "../texts.ts";
import { CallCountBadge, LeadName, LeadStatusBadge } from "./lead-cells.tsx";

interface FrequencyCardProps {
  figures: CallAnalytics;
  onOpenLead: (lead: { id: number; name: string }) => void;
}

/** Those who were called most, and what to do next. */
export function FrequencyCard({ figures, onOpenLead }: FrequencyCardProps) {
  const t = useTexts(analyticsTexts);
  const leads = figures.detailedStats.callCountsByLead;
  if (leads.length === 0) {
    return (
      <TitledCard title={t("frequency")}>
        <p className="py-8 text-center text-muted-foreground">{t("noCalls")}</p>
      </TitledCard>
    );
  }
  const isCut = figures.totalLeads - figures.neverCalled > leads.length;
  return (
    <TitledCard title={t("frequency")} subtitle={isCut ? t("frequencyHint", { shown: leads.length }) : null}>
      <FigureTable
        caption={t("frequency")}
        rows={leads}
        keyOf={({ leadId }) => leadId}
        columns={[
          {
            key: "lead",
            label: t("lead"),
            cell: (lead) => <LeadName lead={lead} onOpenLead={onOpenLead} />,
          },
          {
            key: "status",
            label: t("status"),
            isWide: true,
            cell: ({ leadStatus }) => <LeadStatusBadge status={leadStatus} />,
          },
          { key: "calls", label: t("calls"), cell: ({ callCount }) => <CallCountBadge count={callCount} /> },
          {
            key: "lastCall",
            label: t("lastCall"),
            cell: ({ lastCallDate }) =>
              lastCallDate === null ? (
                "—"
              ) : (
                <time dateTime={lastCallDate} title={formatDate(lastCallDate)}>
                  {formatRelative(lastCallDate)}
                </time>
              ),
          },
          { key: "next", label: t("nextAction"), cell: ({ callCount }) => t(nextActionOf(callCount)) },
        ]}
      />
    </TitledCard>
  );
}
