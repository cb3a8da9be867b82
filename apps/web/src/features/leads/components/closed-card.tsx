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

/** The cards that are open on a phone: they stay so while the list forgets and draws them anew. */
const openCards = createPersonalStore<ReadonlySet<number>>(new Set());
/** Whose card was just opened or closed: the focus goes to the button that undoes it. */
let pressed: number | null = null;

/** Whether a phone shows this lead's card whole. */
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

/** Opens a closed card, wherever one presses; on an open one the button that closes it. */
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
  /** Whether the card is chosen; undefined while none are being chosen. */
  selected: boolean | undefined;
  onSelect: (id: number) => void;
  /** A pointer or the focus is on it. */
  onNear: () => void;
}

/** A lead on a phone before one presses its card: name, status, last attempt, Call and SMS. */
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
