import type { SystemLead } from "@portal/contract/routes/all-leads";
import type { AllLeadsTranslate } from "../texts.ts";

export interface FactsProps {
  lead: SystemLead;
  onOpen: (lead: SystemLead) => void;
  t: AllLeadsTranslate;
}

/** Looks of what stands in for a value that is missing. */
export function missing(value: string | number | null): string {
  return value === null ? "text-muted-foreground italic" : "";
}

/** The lead's name and number. The row is the button's target, whatever stands in it. */
export function OpenButton({ lead, onOpen, t }: FactsProps) {
  return (
    <>
      <button
        type="button"
        data-control="open"
        title={lead.name}
        aria-label={t("openLead", { name: lead.name })}
        aria-haspopup="dialog"
        className="block max-w-full truncate rounded-sm text-left font-medium after:absolute after:inset-0 hover:underline"
        onClick={() => onOpen(lead)}
      >
        {lead.name}
      </button>
      <span className="block truncate text-muted-foreground text-xs tabular-nums">
        {t("leadId", { id: lead.id })}
      </span>
    </>
  );
}
