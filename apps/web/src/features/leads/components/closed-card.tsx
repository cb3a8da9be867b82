import type { Lead } from "@portal/contract/entities/lead";
import { ChevronUp } from "lucide-react";
import { cn } from "../../../lib/cn.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { createPersonalStore, useStore } from "../../../lib/store.ts";
import { CountBadge, StatusBadge } from "../../../ui/badge.tsx";
import { SelectBox } from "../../../ui/checkbox.tsx";
import { LeadLink } from "../../../ui/lead-link.tsx";
import { UnsentMark } from "../../offline/unsent-mark.tsx";
import { smsButtonMessages } from "../../sms/button-messages.ts";
import { LastAttempt } from "../../telephony/call/last-attempt.tsx";
import { leadCardMessages } from "../messages.ts";
import { RowActions } from "../rows/row-actions.tsx";

/** Ids of the cards that are open on a phone; kept while the list re-renders. */
const openCards = createPersonalStore<ReadonlySet<number>>(new Set());
/** The card that was just toggled: its other button gets the focus. */
let pressed: number | null = null;

/** Whether a lead's card is open on a phone. */
export const useIsCardOpen = (leadId: number): boolean => useStore(openCards, (open) => open.has(leadId));

function toggle(leadId: number): void {
  const open = new Set(openCards.get());
  if (!open.delete(leadId)) open.add(leadId);
  pressed = leadId;
  openCards.set(open);
}

interface CardToggleProps {
  lead: Lead;
  isOpen: boolean;
}

/** On a closed card it covers the whole card and opens it; on an open one it is a button that closes it. */
export function CardToggle({ lead, isOpen }: CardToggleProps) {
  const t = useMessages(leadCardMessages);
  return (
    <button
      type="button"
      ref={(button) => {
        if (!button || pressed !== lead.id) return;
        pressed = null;
        button.focus({ preventScroll: true });
      }}
      aria-expanded={isOpen}
      aria-label={t(isOpen ? "closeCard" : "openCard", { name: lead.name })}
      onClick={() => toggle(lead.id)}
      className={cn(
        "rounded-xl",
        isOpen ? "-my-1 -mr-2 grid size-11 place-items-center text-muted-foreground" : "absolute inset-0",
      )}
    >
      {isOpen ? <ChevronUp aria-hidden className="size-5" /> : null}
    </button>
  );
}

interface ClosedCardProps {
  lead: Lead;
  /** Whether the card is selected; undefined outside of the selection mode. */
  selected: boolean | undefined;
  onSelect: (id: number) => void;
  /** Called on hover or focus. */
  onNear: () => void;
}

/** A lead's closed card on a phone: name, status, last attempt, Call and SMS. */
export function ClosedCard({ lead, selected, onSelect, onNear }: ClosedCardProps) {
  const t = useMessages(leadCardMessages);
  const sms = useMessages(smsButtonMessages);
  return (
    <article
      aria-label={lead.name}
      onPointerEnter={onNear}
      onFocus={onNear}
      className={cn(
        "relative flex min-w-0 items-center gap-2 rounded-xl border bg-surface py-2.5 pr-2.5 pl-4 shadow-card",
        selected && "border-primary",
      )}
    >
      <CardToggle lead={lead} isOpen={false} />
      {selected === undefined ? null : (
        <SelectBox
          aria-label={t("select", { name: lead.name })}
          checked={selected}
          onChange={() => onSelect(lead.id)}
          className="relative z-1 -ml-3"
        />
      )}
      <div className="grid min-w-0 flex-1 justify-items-start gap-0.5">
        <h2 className="flex max-w-full items-center gap-2 font-semibold text-base leading-6">
          <LeadLink leadId={lead.id} className="relative z-1 block min-h-6 min-w-0 truncate">
            {lead.name}
          </LeadLink>
          {lead.unreadTexts > 0 ? (
            <CountBadge count={lead.unreadTexts} label={sms("unread", { count: lead.unreadTexts })} />
          ) : null}
        </h2>
        <div className="flex max-w-full flex-wrap items-center gap-1.5">
          <StatusBadge status={lead.status} />
          <UnsentMark leadId={lead.id} className="relative z-1" />
        </div>
        <p className="max-w-full text-muted-foreground text-xs leading-4.5">
          {lead.attempts > 0 ? <LastAttempt lead={lead} /> : t("neverCalled")}
        </p>
      </div>
      <RowActions lead={lead} />
    </article>
  );
}
