import type { LeadStatus } from "@portal/contract/entities/lead";
import { useTexts } from "../../../lib/i18n.ts";
import { leadLabelTexts } from "../../../lib/lead-label-texts.ts";
import { statusTones } from "../../../lib/lead-tones.ts";
import { Badge } from "../../../ui/badge.tsx";
import { callCountTone } from "../next-action.ts";
import { analyticsTexts } from "../texts.ts";

interface LeadNameProps {
  lead: { leadId: number; leadName: string; leadStatus: LeadStatus };
  onOpenLead: (lead: { id: number; name: string }) => void;
}

/** A lead's name, which opens its timeline; on telephones its state as well, for want of a column. */
export function LeadName({ lead: { leadId, leadName, leadStatus }, onOpenLead }: LeadNameProps) {
  const t = useTexts(analyticsTexts);
  const name = leadName || t("leadNumber", { id: leadId });
  return (
    <>
      <button
        type="button"
        title={t("openTimeline", { name })}
        className="block max-w-64 rounded-sm text-start underline-offset-4 hover:underline pointer-coarse:min-h-11"
        onClick={() => onOpenLead({ id: leadId, name })}
      >
        {name}
      </button>
      <span className="sm:hidden">
        <LeadStatusBadge status={leadStatus} />
      </span>
    </>
  );
}

export function LeadStatusBadge({ status }: { status: LeadStatus }) {
  const t = useTexts(leadLabelTexts);
  return <Badge tone={statusTones[status]}>{t(status)}</Badge>;
}

/** How often a lead was called, coloured as recorded. */
export function CallCountBadge({ count }: { count: number }) {
  const t = useTexts(analyticsTexts);
  return <Badge tone={callCountTone(count)}>{t("callCount", { count })}</Badge>;
}
