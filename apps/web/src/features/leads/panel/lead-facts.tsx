import type { Lead } from "@portal/contract/entities/lead";
import { formatDate, formatPhone } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { leadPanelMessages } from "./messages.ts";

/** What is known of a lead and not changed here. */
export function LeadFacts({ lead }: { lead: Lead }) {
  const t = useMessages(leadPanelMessages);
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
    <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-2">
      {facts.map(([label, value]) => (
        <div key={label} className="min-w-0">
          <dt className="text-muted-foreground text-xs">{label}</dt>
          <dd className="break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
