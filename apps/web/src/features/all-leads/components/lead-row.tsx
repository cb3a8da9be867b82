import type { SystemLead } from "@portal/contract/routes/all-leads";
import { type MouseEvent, memo } from "react";
import type { RowPlace } from "../../../ui/long-table.tsx";
import type { AllLeadsTranslate } from "../texts.ts";
import { CardFacts } from "./lead-row-card.tsx";
import { TableFacts } from "./lead-row-table.tsx";
import { rowClasses } from "./row-layout.ts";

interface LeadRowProps extends RowPlace {
  /** Null while it is being read, or flies past. */
  lead: SystemLead | null;
  isSelected: boolean;
  onToggle: (index: number, isRange: boolean) => void;
  onOpen: (lead: SystemLead) => void;
  /** Handed in: a hook for each of the rows that come into sight at once would cost as much as the rows. */
  t: AllLeadsTranslate;
}

// Shift with a click would select the text between.
const keepText = (event: MouseEvent) => {
  if (event.shiftKey) event.preventDefault();
};

/** One lead with everything that is recorded of a row (specification §2, All Leads). A press anywhere opens it, but on its box. */
export const LeadRow = memo(function LeadRow(props: LeadRowProps) {
  const { index, lead, layout, isSelected, onToggle, onOpen, top, height, t } = props;
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
        <Facts lead={lead} onOpen={onOpen} t={t} />
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: as the row.
        <div role="cell" className="col-span-2">
          <div aria-hidden className="h-4 w-2/3 rounded-md bg-muted" />
        </div>
      )}
    </div>
  );
});
