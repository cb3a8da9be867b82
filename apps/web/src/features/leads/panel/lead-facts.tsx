import type { Lead } from "@portal/contract/entities/lead";
import { useQuery } from "@tanstack/react-query";
import { formatDate, formatMoney, formatPhone } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { extraFieldsQuery, FieldList } from "../../activity/extra-fields.tsx";
import { leadPanelMessages } from "./messages.ts";

/** What is known of a lead and not changed here; how to reach them only where nothing else says it. */
export function LeadFacts({ lead, withContact = true }: { lead: Lead; withContact?: boolean }) {
  const t = useMessages(leadPanelMessages);
  const contact = [
    [t("phone"), lead.phone ? formatPhone(lead.phone) : t("noPhone")],
    [t("email"), lead.email ?? t("noEmail")],
    [t("company"), lead.company ?? t("notAvailable")],
  ] as const;
  const facts = [
    ...(withContact ? contact : []),
    [t("industry"), lead.industry ?? t("notAvailable")],
    [t("source"), lead.leadSource ?? t("notAvailable")],
    ...(lead.dealValue === null ? [] : [[t("dealValue"), formatMoney(lead.dealValue)] as const]),
    [t("assignedTo"), lead.salesRepName ?? t("unassigned")],
    [t("created"), formatDate(lead.createdAt)],
    [t("assignmentDate"), lead.assignedAt ? formatDate(lead.assignedAt) : t("notAssigned")],
  ] as const;
  return (
    <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-2">
      {facts.map(([label, value]) => (
        <div key={label} className="min-w-0">
          <dt className="text-muted-foreground text-xs">{label}</dt>
          <dd className="[overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** State and zone stand in a place of their own, with what they decide. */
const toldElsewhere = ["state", "timeZone"];

/** What came with a lead and has no field of ours: from GoHighLevel, and the columns of an import or a webhook. */
export function KnownFields({ leadId }: { leadId: number }) {
  const t = useMessages(leadPanelMessages);
  const { data = [] } = useQuery(extraFieldsQuery(leadId));
  const crm = data
    .filter(({ name, from }) => from === "crm-field" || (from === "crm" && !toldElsewhere.includes(name)))
    .map(({ name, value, from }) => ({ name: from === "crm" ? t("tags") : name, value }));
  const imported = data.filter(({ from }) => from === "import");
  return (
    <>
      <FieldList title={t("crmFields", { count: crm.length })} fields={crm} />
      <FieldList title={t("otherColumns", { count: imported.length })} fields={imported} />
    </>
  );
}
