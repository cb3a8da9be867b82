import { formatDate, formatPhone, formatRelative } from "../../../lib/format.ts";
import { PriorityBadge, StatusBadge } from "../../../ui/lead-badges.tsx";
import { type FactsProps, missing, OpenButton } from "./open-button.tsx";

const named = "text-muted-foreground not-italic";

/** The same cells as a card, for narrow lists: what no column head can say stands before the value. */
export function CardFacts({ lead, onOpen, t }: FactsProps) {
  const { email, phone, company, assignedTo, salesRepName, assignedAt, createdAt } = lead;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div role="cell" className="col-start-2 min-w-0">
        <OpenButton lead={lead} onOpen={onOpen} t={t} />
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
        {createdAt ? `${formatDate(createdAt)} · ${formatRelative(createdAt)}` : t("noDate")}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div role="cell" className={`col-start-3 row-start-4 justify-self-end ${missing(assignedAt)}`}>
        {assignedAt ? formatDate(assignedAt) : t("notAssigned")}
      </div>
    </>
  );
}
