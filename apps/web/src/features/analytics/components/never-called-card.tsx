import type { CallAnalytics } from "@portal/contract/routes/analytics";
import { PartyPopper } from "lucide-react";
import { formatNumber } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { FigureTable } from "../../../ui/figure-table.tsx";
import { TitledCard } from "../../../ui/titled-card.tsx";
import { analyticsTexts } from "../texts.ts";
import { CallCountBadge, LeadName, LeadStatusBadge } from "./lead-cells.tsx";

interface NeverCalledCardProps {
  figures: CallAnalytics;
  hasRange: boolean;
  onOpenLead: (lead: { id: number; name: string }) => void;
}

/** The first of those whom nobody called. */
export function NeverCalledCard({ figures, hasRange, onOpenLead }: NeverCalledCardProps) {
  const t = useTexts(analyticsTexts);
  const leads = figures.detailedStats.neverCalledLeads;
  const { neverCalled } = figures;
  if (leads.length === 0) {
    return (
      <TitledCard title={t("neverCalledLeads")}>
        <EmptyState
          icon={PartyPopper}
          title={t("greatTitle")}
          description={t(hasRange ? "greatTextRange" : "greatText")}
          className="border-0 py-8"
        />
      </TitledCard>
    );
  }
  return (
    <TitledCard
      title={t("neverCalledLeads")}
      subtitle={
        neverCalled > leads.length
          ? t("neverCalledHint", { shown: leads.length, total: formatNumber(neverCalled) })
          : null
      }
    >
      <FigureTable
        caption={t("neverCalledLeads")}
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
          { key: "calls", label: t("calls"), cell: () => <CallCountBadge count={0} /> },
          { key: "recommendation", label: t("recommendation"), cell: () => t("firstContact") },
        ]}
      />
    </TitledCard>
  );
}
