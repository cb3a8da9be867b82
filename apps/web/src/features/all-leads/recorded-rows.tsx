import type { SystemLead } from "@portal/contract/routes/all-leads";
import { RelativeTime } from "../../lib/clock.tsx";
import { cn } from "../../lib/cn.ts";
import { formatDate } from "../../lib/format.ts";
import { PriorityBadge, StatusBadge } from "../../ui/badge.tsx";
import { LeadLink, rowLinkClasses } from "../../ui/lead-link.tsx";
import type { ListCard, ListColumn } from "../../ui/list-table.tsx";
import { CellText, ContactText, onCard, type RowLayout, type RowSizes } from "../../ui/table.tsx";
import { UnsentMark } from "../offline/unsent-mark.tsx";
import { LastAttempt } from "../telephony/call/last-attempt.tsx";
import type { LeadSort } from "./all-leads-search.ts";
import type { AllLeadsTranslate } from "./messages.ts";

export const recordedSizes: RowSizes = { tableMin: 52, height: { table: 4, cards: 11 } };

/** Positions of the cells on a card; labels replace the column heads. */
export const recordedCard: ListCard = {
  classes:
    "grid-cols-[2.75rem_minmax(0,1fr)_auto] content-center items-start gap-x-2 gap-y-1 pr-3 text-sm leading-5",
  places: {
    lead: "col-start-2",
    contact: "col-span-2 col-start-2 row-start-2 tabular-nums",
    company: "col-start-2 row-start-3",
    status: "col-start-3 row-start-1 justify-self-end",
    priority: "col-start-3 row-start-3 justify-self-end",
    assignedTo: "col-start-2 row-start-4",
    created: "col-span-2 col-start-2 row-start-5 grid gap-1",
    assignedAt: "col-start-3 row-start-4 justify-self-end",
  },
};

/** The recorded columns, two of which sort. A click anywhere on a row opens its lead. */
export function recordedColumns(t: AllLeadsTranslate): ListColumn<SystemLead, LeadSort>[] {
  return [
    {
      key: "lead",
      label: t("lead"),
      isFree: true,
      width: 0,
      grow: 1.35,
      sort: { up: "name", down: "name_desc", first: "name" },
      cell: (lead) => <LeadName lead={lead} t={t} />,
    },
    {
      key: "contact",
      label: t("contact"),
      isFree: true,
      width: 0,
      grow: 1.6,
      cell: ({ email, phone }) => (
        <ContactText email={email} phone={phone} noEmail={t("noEmail")} noPhone={t("noPhone")} />
      ),
    },
    {
      key: "company",
      label: t("company"),
      isFree: true,
      width: 0,
      grow: 1.15,
      cell: ({ company }, layout) => (
        <CellText value={company} instead={t("notAvailable")} label={onCard(layout, t("company"))} />
      ),
    },
    {
      key: "status",
      label: t("status"),
      isFree: true,
      width: 6.75,
      cell: (lead, layout) => (
        <>
          <StatusBadge status={lead.status} />
          {/* Extends below the priority, whose cell leaves room. */}
          {layout === "table" ? (
            <LastAttempt lead={lead} className="w-52 text-muted-foreground text-xs leading-4" />
          ) : null}
        </>
      ),
    },
    {
      key: "priority",
      label: t("priority"),
      isFree: true,
      width: 5.5,
      cell: (lead, layout) => (
        <span className={lead.attempts > 0 && layout === "table" ? "block pb-4" : undefined}>
          <PriorityBadge priority={lead.priority} />
        </span>
      ),
    },
    {
      key: "assignedTo",
      label: t("assignedTo"),
      isFree: true,
      width: 0,
      grow: 1,
      cell: ({ assignedTo, salesRepName }, layout) => (
        <CellText
          value={assignedTo === null ? null : (salesRepName ?? t("notAvailable"))}
          instead={t("unassigned")}
          label={onCard(layout, t("assignedTo"))}
        />
      ),
    },
    {
      key: "created",
      label: t("created"),
      isFree: true,
      width: 6.75,
      sort: { up: "oldest", down: "newest", first: "newest" },
      cell: (lead, layout) => <Created lead={lead} layout={layout} t={t} />,
    },
    {
      key: "assignedAt",
      label: t("assignmentDate"),
      isFree: true,
      width: 6.75,
      cell: ({ assignedAt }) => (
        <CellText value={assignedAt && formatDate(assignedAt)} instead={t("notAssigned")} />
      ),
    },
  ];
}

/** The lead's name and number; the link covers the whole row. */
function LeadName({ lead, t }: { lead: SystemLead; t: AllLeadsTranslate }) {
  return (
    <>
      <LeadLink
        leadId={lead.id}
        data-control="open"
        title={lead.name}
        aria-label={t("openLead", { name: lead.name })}
        className={cn("block max-w-full truncate text-left font-medium", rowLinkClasses)}
      >
        {lead.name}
      </LeadLink>
      <span className="block truncate text-muted-foreground text-xs tabular-nums">
        {t("leadId", { id: String(lead.id) })}
        <UnsentMark leadId={lead.id} isSmall className="relative z-1 ml-1.5" />
      </span>
    </>
  );
}

/** Creation date and age; on a card also the last attempt, which a table shows below the status. */
function Created({ lead, layout, t }: { lead: SystemLead; layout: RowLayout; t: AllLeadsTranslate }) {
  const { createdAt } = lead;
  if (!createdAt) return <CellText value={null} instead={t("noDate")} label={onCard(layout, t("created"))} />;
  const age = <RelativeTime at={createdAt} />;
  if (layout === "table")
    return (
      <>
        {formatDate(createdAt)}
        <span className="block truncate text-muted-foreground text-xs">{age}</span>
      </>
    );
  return (
    <>
      <span className="block truncate">
        <span className="text-muted-foreground">{t("created")}: </span>
        {formatDate(createdAt)} · {age}
      </span>
      <LastAttempt lead={lead} className="text-muted-foreground text-xs leading-4" />
    </>
  );
}
