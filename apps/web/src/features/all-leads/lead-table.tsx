import type { SystemLead } from "@portal/contract/routes/all-leads";
import { useCallback, useLayoutEffect, useRef } from "react";
import { useMessages } from "../../lib/i18n.ts";
import type { PagedRows } from "../../lib/long-list/use-paged-rows.ts";
import type { RowSelection } from "../../lib/long-list/use-row-selection.ts";
import { LongTable } from "../../ui/long-table.tsx";
import type { LeadSort } from "./all-leads-search.ts";
import { LeadRow } from "./lead-row.tsx";
import { allLeadsMessages } from "./messages.ts";
import { rowSizes, TableHead } from "./table-head.tsx";

interface LeadTableProps {
  rows: PagedRows<SystemLead>;
  /** As many rows as the list has; null where they were not all counted. */
  total: number | null;
  busy: boolean;
  sort: LeadSort;
  onSort: (sort: LeadSort) => void;
  selection: RowSelection;
}

/** The leads as rows to be sorted, selected and opened. */
export function LeadTable({ rows, total, busy, sort, onSort, selection }: LeadTableProps) {
  const t = useMessages(allLeadsMessages);
  // The rows keep one function, so that a selection draws only those anew that it changes.
  const latest = useRef(selection);
  useLayoutEffect(() => {
    latest.current = selection;
  });
  const onToggle = useCallback(
    (index: number, isRange: boolean) => latest.current.toggle(index, { isRange }),
    [],
  );
  return (
    <LongTable
      rows={rows}
      total={total}
      busy={busy}
      label={t("table")}
      sizes={rowSizes}
      renderHead={(layout) => <TableHead layout={layout} sort={sort} onSort={onSort} />}
      renderRow={(lead, place) => (
        <LeadRow
          {...place}
          lead={lead}
          isSelected={lead !== null && selection.ids.has(lead.id)}
          onToggle={onToggle}
          t={t}
        />
      )}
      onShiftMove={(index) => onToggle(index, true)}
    />
  );
}
