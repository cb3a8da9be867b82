import type { Lead } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import { cn } from "../../../lib/cn.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { useLateModule } from "../../../lib/late-module.ts";
import { leadsMessages } from "../messages.ts";
import type { LeadSelection } from "../use-lead-selection.ts";
import { LeadCard } from "./lead-card.tsx";
import { gridClasses } from "./lead-skeletons.tsx";

const loadVirtual = () => import("./virtual-leads.tsx");

/** From so many leads on, which is more than the first page brings, only those on screen are drawn. */
const virtualFrom = limits.pageSize;

/** Cards that are not on screen cost the browser nothing until they are; until then it takes them to be as high as most are. */
const cardsOnScreenOnly =
  "[&>li>article]:[contain-intrinsic-size:auto_19rem] max-md:[&>li>article]:[contain-intrinsic-size:auto_5.75rem] [&>li>article]:[content-visibility:auto]";

interface LeadListProps {
  leads: readonly Lead[];
  /** Whether they were known before the page was opened: then all are laid out at once, so that one finds the place one had scrolled to. */
  areKnown: boolean;
  /** How many of the first page's are drawn. */
  drawn: number;
  busy: boolean;
  selection: LeadSelection;
  onSelect: (id: number) => void;
}

/** The leads as cards. */
export function LeadList({ leads, areKnown, drawn, busy, selection, ...acts }: LeadListProps) {
  const t = useMessages(leadsMessages);
  const VirtualLeads = useLateModule(loadVirtual, leads.length > virtualFrom)?.default;
  if (VirtualLeads && leads.length > virtualFrom) {
    return <VirtualLeads label={t("listLabel")} leads={leads} busy={busy} selection={selection} {...acts} />;
  }
  return (
    <ul
      aria-label={t("listLabel")}
      aria-busy={busy}
      className={cn(gridClasses, !areKnown && cardsOnScreenOnly)}
    >
      {leads.slice(0, drawn).map((lead) => (
        <li key={lead.id} className="min-w-0">
          <LeadCard lead={lead} selected={selection?.has(lead.id)} {...acts} />
        </li>
      ))}
    </ul>
  );
}
