import type { Lead } from "@portal/contract/entities/lead";
import { formatDate, formatPhone } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { PriorityBadge, StatusBadge } from "../../../ui/lead-badges.tsx";
import { leadDetailsTexts } from "../details-texts.ts";

/** What everybody may see of a lead. */
export function LeadFacts({ lead }: { lead: Lead }) {
  const t = useTexts(leadDetailsTexts);
  const facts = [
    [t("phone"), lead.phone ? formatPhone(lead.phone) : t("noPhone")],
    [t("email"), lead.email ?? t("noEmail")],
    [t("company"), lead.company ?? t("notAvailable")],
    [t("industry"), lead.industry ?? t("notAvailable")],
    [t("source"), lead.leadSource ?? t("notAvailable")],
    [t("assignedTo"), lead.salesRepName ?? t("unassigned")],
    [t("created"), formatDate(lead.createdAt)],
    [t("assignmentDate"), lead.assignedAt ? formatDate(lead.assignedAt) : t("notAssigned")],
  ] as const;
  return (
    <div className="grid gap-4 rounded-xl border p-4">
      <p className="flex flex-wrap gap-2">
        <StatusBadge status={lead.status} />
        <PriorityBadge priority={lead.priority} />
      </p>
      <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-2">
        {facts.map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-muted-foreground text-xs">{label}</dt>
            <dd className="break-words">{value}</dd>
          </div>
        ))}
      </dl>
      {lead.notes ? (
        <div className="text-sm">
          <p className="text-muted-foreground text-xs">{t("notes")}</p>
          <p className="whitespace-pre-line break-words">{lead.notes}</p>
        </div>
      ) : null}
    </div>
  );
}
