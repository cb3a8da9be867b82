import { formatDate, formatPhone, formatRelative } from "../../../lib/format.ts";
import { PriorityBadge, StatusBadge } from "../../../ui/lead-badges.tsx";
import { type FactsProps, missing, OpenButton } from "./open-button.tsx";

/** A lead as the cells of a table. Single lines are the cells themselves: every element counts where a screen of them comes at once. */
export function TableFacts({ lead, onOpen, t }: FactsProps) {
  const { email, phone, company, assignedTo, salesRepName, assignedAt, createdAt } = lead;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div role="cell" className="min-w-0">
        <OpenButton lead={lead} onOpen={onOpen} t={t} />
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
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div role="cell" className="min-w-0">
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
            <span className="block truncate text-muted-foreground text-xs">{formatRelative(createdAt)}</span>
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
