import type { KnownLead } from "@portal/contract/routes/leads";
import { TriangleAlert } from "lucide-react";
import { formatPhone } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { CheckboxField } from "../../ui/checkbox.tsx";
import { LeadLink } from "../../ui/lead-link.tsx";
import { newLeadMessages } from "./messages.ts";

interface KnownLeadsProps {
  leads: readonly KnownLead[];
  /** Called when a lead's panel opens instead of the dialog. */
  onOpen: () => void;
  isNumberShared: boolean;
  onNumberShared: (isShared: boolean) => void;
}

/** Warns about leads with the same number or email, with links to them; a number may be shared by several people. */
export function KnownLeads({ leads, onOpen, isNumberShared, onNumberShared }: KnownLeadsProps) {
  const t = useMessages(newLeadMessages);
  const isByPhoneOnly = leads.every(({ by }) => !by.includes("email"));
  // The live region exists before its text, or screen readers would not announce it.
  return (
    <div role="status" className="empty:hidden">
      {leads.length === 0 ? null : (
        <div className="grid gap-2 rounded-md border border-warning-text/30 bg-warning-soft px-3 py-2.5 text-sm">
          <p className="flex items-center gap-2 font-medium text-warning-text">
            <TriangleAlert aria-hidden className="size-4 shrink-0" />
            {t("knownTitle")}
          </p>
          <ul className="grid gap-1.5">
            {leads.map((lead) => (
              <KnownLeadLine key={lead.id} lead={lead} onOpen={onOpen} />
            ))}
          </ul>
          {isByPhoneOnly ? (
            <CheckboxField checked={isNumberShared} onChange={onNumberShared}>
              {t("sharesNumber")}
            </CheckboxField>
          ) : null}
        </div>
      )}
    </div>
  );
}

function KnownLeadLine({ lead, onOpen }: { lead: KnownLead; onOpen: () => void }) {
  const t = useMessages(newLeadMessages);
  const { by, company, phone, salesRepName } = lead;
  const isBoth = by.length > 1;
  const details = [
    company,
    phone && formatPhone(phone),
    salesRepName ? t("withRep", { name: salesRepName }) : t("unassigned"),
    t(isBoth ? "byBoth" : by[0] === "email" ? "byEmail" : "byPhone"),
  ];
  return (
    <li className="grid min-w-0">
      <LeadLink
        leadId={lead.id}
        onOpen={onOpen}
        className="justify-self-start font-medium underline pointer-coarse:py-2.5"
      >
        {lead.name}
      </LeadLink>
      <span className="text-[0.8125rem] [overflow-wrap:anywhere]">{details.filter(Boolean).join(" · ")}</span>
    </li>
  );
}
