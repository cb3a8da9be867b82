import type { SystemLead } from "@portal/contract/routes/all-leads";
import { type MouseEvent, memo } from "react";
import { formatDate, formatPhone } from "../../lib/format.ts";
import { RelativeTime, useRelativeTime } from "../../lib/relative-time.tsx";
import { PriorityBadge, StatusBadge } from "../../ui/lead-badges.tsx";
import { LeadLink } from "../../ui/lead-link.tsx";
import type { RowPlace } from "../../ui/long-table.tsx";
import { LastAttempt } from "../telephony/call/last-attempt.tsx";
import type { AllLeadsTranslate } from "./messages.ts";
import { rowClasses } from "./table-head.tsx";

const named = "text-muted-foreground not-italic";

/** The same cells as a card, for narrow lists: what no column head can say stands before the value. */
function CardFacts({ lead, t }: FactsProps) {
  const { email, phone, company, assignedTo, salesRepName, assignedAt, createdAt } = lead;
  const age = useRelativeTime(createdAt);
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div role="cell" className="col-start-2 min-w-0">
        <LeadName lead={lead} t={t} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div role="cell" className="col-span-2 col-start-2 row-start-2 min-w-0 tabular-nums">
        <span className={`block truncate ${missing(email)}`}>{email ?? t("noEmail")}</span>
        <span className={`block truncate ${missing(phone)}`}>
          {phone ? formatPhone(phone) : t("noPhone")}
        </span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div role="cell" className={`col-start-2 row-start-3 min-w-0 truncate ${missing(company)}`}>
        <span className={named}>{t("company")}: </span>
        {company ?? t("notAvailable")}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div role="cell" className="col-start-3 row-start-1 justify-self-end">
        <StatusBadge status={lead.status} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div role="cell" className="col-start-3 row-start-3 justify-self-end">
        <PriorityBadge priority={lead.priority} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div role="cell" className={`col-start-2 row-start-4 min-w-0 truncate ${missing(assignedTo)}`}>
        <span className={named}>{t("assignedTo")}: </span>
        {assignedTo === null ? t("unassigned") : (salesRepName ?? t("notAvailable"))}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div
        role="cell"
        className={`col-span-2 col-start-2 row-start-5 min-w-0 truncate ${missing(createdAt || null)}`}
      >
        <span className={named}>{t("created")}: </span>
        {createdAt ? `${formatDate(createdAt)} · ${age}` : t("noDate")}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div role="cell" className={`col-start-3 row-start-4 justify-self-end ${missing(assignedAt)}`}>
        {assignedAt ? formatDate(assignedAt) : t("notAssigned")}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div role="cell" className="col-span-2 col-start-2 row-start-6 min-w-0">
        <LastAttempt lead={lead} className="text-muted-foreground text-xs leading-4" />
      </div>
    </>
  );
}

interface LeadRowProps extends RowPlace {
  /** Null while it is being read, or flies past. */
  lead: SystemLead | null;
  isSelected: boolean;
  onToggle: (index: number, isRange: boolean) => void;
  /** Handed in: a hook for each of the rows that come into sight at once would cost as much as the rows. */
  t: AllLeadsTranslate;
}

// Shift with a click would select the text between.
const keepText = (event: MouseEvent) => {
  if (event.shiftKey) event.preventDefault();
};

/** One lead with everything that is recorded of a row. A press anywhere opens it, but on its box. */
export const LeadRow = memo(function LeadRow(props: LeadRowProps) {
  const { index, lead, layout, isSelected, onToggle, top, height, t } = props;
  const look = isSelected ? "bg-primary-soft/45" : lead ? "hover:bg-muted/60" : "";
  const Facts = layout === "table" ? TableFacts : CardFacts;
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: rows are placed by hand; the focus is on what stands in them.
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-row={index}
      style={{ transform: `translateY(${top}px)`, height }}
      onMouseDown={keepText}
      className={`absolute inset-x-0 top-0 scroll-mt-40 contain-strict ${rowClasses[layout]} ${look}`}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div
        role="cell"
        className={`relative z-1 grid place-items-center ${layout === "cards" ? "row-span-2 self-start" : ""}`}
      >
        {lead ? (
          <label className="grid size-11 cursor-pointer place-items-center">
            <input
              type="checkbox"
              data-control="select"
              aria-label={t("select", { name: lead.name })}
              checked={isSelected}
              onChange={(event) => onToggle(index, (event.nativeEvent as PointerEvent).shiftKey === true)}
              className="size-4.5 accent-primary"
            />
          </label>
        ) : null}
      </div>
      {lead ? (
        <Facts lead={lead} t={t} />
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: as the row.
        <div role="cell" className="col-span-2">
          <div aria-hidden className="h-4 w-2/3 rounded-md bg-muted" />
        </div>
      )}
    </div>
  );
});

/** A lead as the cells of a table. Single lines are the cells themselves: every element counts where a screen of them comes at once. */
function TableFacts({ lead, t }: FactsProps) {
  const { email, phone, company, assignedTo, salesRepName, assignedAt, createdAt } = lead;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div role="cell" className="min-w-0">
        <LeadName lead={lead} t={t} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div role="cell" className="min-w-0 tabular-nums">
        <span className={`block truncate ${missing(email)}`} title={email ?? undefined}>
          {email ?? t("noEmail")}
        </span>
        <span className={`block truncate ${missing(phone)}`}>
          {phone ? formatPhone(phone) : t("noPhone")}
        </span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div role="cell" className={`min-w-0 truncate ${missing(company)}`} title={company ?? undefined}>
        {company ?? t("notAvailable")}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div role="cell" className="min-w-0">
        <StatusBadge status={lead.status} />
        {/* Below the priority too, whose cell leaves the room. */}
        <LastAttempt lead={lead} className="w-52 text-muted-foreground text-xs leading-4" />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div role="cell" className={lead.attempts > 0 ? "min-w-0 pb-4" : "min-w-0"}>
        <PriorityBadge priority={lead.priority} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div
        role="cell"
        className={`min-w-0 truncate ${missing(assignedTo)}`}
        title={salesRepName ?? undefined}
      >
        {assignedTo === null ? t("unassigned") : (salesRepName ?? t("notAvailable"))}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div role="cell" className={`min-w-0 ${missing(createdAt || null)}`}>
        {createdAt ? (
          <>
            {formatDate(createdAt)}
            <span className="block truncate text-muted-foreground text-xs">
              <RelativeTime at={createdAt} />
            </span>
          </>
        ) : (
          t("noDate")
        )}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div role="cell" className={`min-w-0 truncate ${missing(assignedAt)}`}>
        {assignedAt ? formatDate(assignedAt) : t("notAssigned")}
      </div>
    </>
  );
}

interface FactsProps {
  lead: SystemLead;
  t: AllLeadsTranslate;
}

/** Looks of what stands in for a value that is missing. */
function missing(value: string | number | null): string {
  return value === null ? "text-muted-foreground italic" : "";
}

/** The lead's name and number. The row is the link's target, whatever stands in it. */
function LeadName({ lead, t }: FactsProps) {
  return (
    <>
      <LeadLink
        leadId={lead.id}
        data-control="open"
        title={lead.name}
        aria-label={t("openLead", { name: lead.name })}
        className="block max-w-full truncate text-left font-medium after:absolute after:inset-0"
      >
        {lead.name}
      </LeadLink>
      <span className="block truncate text-muted-foreground text-xs tabular-nums">
        {t("leadId", { id: String(lead.id) })}
      </span>
    </>
  );
}
