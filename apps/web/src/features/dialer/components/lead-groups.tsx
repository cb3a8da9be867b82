import type { DialerPreview } from "@portal/contract/entities/dialer";
import { limits } from "@portal/contract/limits";
import { ChevronDown } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { cn } from "../../../lib/cn.ts";
import { formatSoon } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Chip } from "../../../ui/chip.tsx";
import { LeadLink } from "../../../ui/lead-link.tsx";
import { LastAttempt } from "../../telephony/call/last-attempt.tsx";
import { previewMessages } from "../setup-messages.ts";

export interface LeadGroup {
  readonly key: string;
  /** For example '3 opted out'. */
  readonly label: string;
  readonly count: number;
  readonly leads: DialerPreview["nowLeads"];
  readonly isGood?: boolean;
}

/** Groups of leads by label; each opens its list. */
export function LeadGroups({ groups }: { groups: readonly LeadGroup[] }) {
  const [open, setOpen] = useState<string | null>(null);
  const list = useId();
  const shown = groups.find(({ key }) => key === open);
  return (
    <div className="grid gap-2">
      <ul className="flex flex-wrap gap-2">
        {groups.map(({ key, label, isGood }) => (
          <li key={key}>
            <Chip
              aria-expanded={key === open}
              aria-controls={key === open ? list : undefined}
              onClick={() => setOpen(key === open ? null : key)}
              className={cn(isGood && "border-primary/40 text-primary-text", key === open && "bg-muted")}
            >
              {label}
              <ChevronDown aria-hidden className={cn("transition-transform", key === open && "rotate-180")} />
            </Chip>
          </li>
        ))}
      </ul>
      {shown ? <GroupLeads key={shown.key} id={list} group={shown} /> : null}
    </div>
  );
}

function GroupLeads({ id, group }: { id: string; group: LeadGroup }) {
  const t = useMessages(previewMessages);
  const { leads, count, label } = group;
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone it opens below the fold, behind the bar with Start.
    if (window.innerWidth < limits.mobileBreakpointPx) list.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    // Focusable, so that keys can scroll it.
    <section
      ref={list}
      id={id}
      aria-label={t("leadsOf", { group: label })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it.
      tabIndex={0}
      className="max-h-56 scroll-mb-28 overflow-y-auto rounded-lg border bg-surface"
    >
      <ul className="divide-y text-sm">
        {leads.map((lead) => (
          <li key={lead.leadId} className="flex items-baseline justify-between gap-3 px-3 py-1.5">
            <span className="min-w-0 truncate">
              <LeadLink leadId={lead.leadId} className="font-medium">
                {lead.name}
              </LeadLink>
              {lead.company ? <span className="text-muted-foreground"> · {lead.company}</span> : null}
            </span>
            {lead.allowedAt ? (
              <span className="shrink-0 text-muted-foreground text-xs tabular-nums">
                {formatSoon(lead.allowedAt)}
              </span>
            ) : (
              <LastAttempt lead={lead} className="shrink-0 text-muted-foreground text-xs tabular-nums" />
            )}
          </li>
        ))}
      </ul>
      {count > leads.length ? (
        <p className="border-t px-3 py-1.5 text-muted-foreground text-xs">
          {t("more", { count: count - leads.length })}
        </p>
      ) : null}
    </section>
  );
}
