import type { SystemLead } from "@portal/contract/routes/all-leads";
import {
  type KeyboardEvent,
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useTexts } from "../../../lib/i18n.ts";
import type { LeadSort } from "../all-leads-search.ts";
import { allLeadsTexts } from "../texts.ts";
import type { LeadRows } from "../use-lead-rows.ts";
import type { RowSelection } from "../use-row-selection.ts";
import { useRowWindow } from "../use-row-window.ts";
import { LeadRow } from "./lead-row.tsx";
import { layoutOf, type RowLayout, rowPx } from "./row-layout.ts";
import { TableHead } from "./table-head.tsx";

interface LeadTableProps {
  rows: LeadRows;
  /** As many rows as the list has; null where they were not all counted. */
  total: number | null;
  busy: boolean;
  sort: LeadSort;
  onSort: (sort: LeadSort) => void;
  selection: RowSelection;
  onOpen: (lead: SystemLead) => void;
}

/** The leads as rows, or as cards where it is narrow; of any number of them only those near the screen are in the page. */
export function LeadTable(props: LeadTableProps) {
  const { rows, total, busy, sort, onSort, selection, onOpen } = props;
  const t = useTexts(allLeadsTexts);
  const table = useRef<HTMLDivElement>(null);
  const [layout, setLayout] = useState<RowLayout>("table");
  useLayoutEffect(() => {
    const { current } = table;
    if (!current) return;
    const measure = () => setLayout(layoutOf(current.getBoundingClientRect().width || window.innerWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are placed by hand, so that the roles are given by hand as well.
    <div
      ref={table}
      role="table"
      aria-label={t("table")}
      aria-busy={busy}
      aria-rowcount={total === null ? -1 : total + 1}
      className="rounded-xl border bg-surface shadow-card"
    >
      <TableHead layout={layout} sort={sort} onSort={onSort} />
      {/* Rows of another height are other rows. */}
      <Rows key={layout} layout={layout} rows={rows} selection={selection} onOpen={onOpen} />
    </div>
  );
}

type RowsProps = Pick<LeadTableProps, "rows" | "selection" | "onOpen"> & { layout: RowLayout };

/** From so many new rows at once on they are filled after they have come: a jump must not hold up the next. */
const jumpRows = 8;

function Rows({ layout, rows, selection, onOpen }: RowsProps) {
  const t = useTexts(allLeadsTexts);
  const list = useRef<HTMLDivElement>(null);
  const [focusedRow, setFocusedRow] = useState<number | null>(null);
  const height = rowPx(layout);
  const shown = useRowWindow(list, { count: rows.count, rowPx: height, keptRow: focusedRow });
  const filled = new Set(useDeferredValue(shown.rows).map(({ index }) => index));
  const isJump = shown.rows.filter(({ index }) => !filled.has(index)).length > jumpRows;
  const { onView } = rows;
  const { first, last } = shown;
  useEffect(() => onView(first, last), [onView, first, last]);

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
    // biome-ignore lint/a11y/useSemanticElements: as the table.
    <div
      ref={list}
      role="rowgroup"
      className="relative overflow-clip rounded-b-xl"
      style={{ height: shown.height }}
      onFocus={({ target }) => setFocusedRow(rowOf(target))}
      onBlur={({ relatedTarget }) => relatedTarget || setFocusedRow(null)}
      onKeyDown={(event) => moveFocus(event, onToggle)}
    >
      {shown.rows.map(({ index, top }) => {
        const lead = isJump && !filled.has(index) ? null : rows.rowAt(index);
        return (
          <LeadRow
            key={index}
            index={index}
            lead={lead}
            layout={layout}
            isSelected={lead !== null && selection.ids.has(lead.id)}
            onToggle={onToggle}
            onOpen={onOpen}
            top={top}
            height={height}
            t={t}
          />
        );
      })}
    </div>
  );
}

function rowOf(target: EventTarget): number | null {
  const row = target instanceof Element ? target.closest<HTMLElement>("[data-row]") : null;
  return row ? Number(row.dataset.row) : null;
}

/** Arrows go from row to row, to the same control; with Shift they select on the way. */
function moveFocus(event: KeyboardEvent<HTMLElement>, onToggle: (index: number, isRange: boolean) => void) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const control = event.target instanceof HTMLElement ? event.target.dataset.control : undefined;
  const from = rowOf(event.target);
  if (step === undefined || control === undefined || from === null) return;
  const next = event.currentTarget.querySelector<HTMLElement>(
    `[data-row="${from + step}"] [data-control="${control}"]`,
  );
  if (!next) return;
  event.preventDefault();
  next.focus();
  if (event.shiftKey) onToggle(from + step, true);
}
