import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "../lib/cn.ts";
import { formatPhone } from "../lib/format.ts";
import { useMessages } from "../lib/i18n.ts";
import { uiMessages } from "./messages.ts";

/** Style of the head of every table and list. */
export const headClasses =
  "h-8 border-b bg-surface font-medium text-muted-foreground text-xs pointer-coarse:h-11";

export type SortState = "ascending" | "descending" | "none";

const sortIcons = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown };

interface SortButtonProps {
  label: string;
  state: SortState;
  onPress: () => void;
}

/** The name of a sortable column, and its current order. */
export function SortButton({ label, state, onPress }: SortButtonProps) {
  const Icon = sortIcons[state];
  return (
    <button
      type="button"
      onClick={onPress}
      className={cn(
        "-mx-1.5 inline-flex h-7 max-w-[calc(100%+0.75rem)] items-center gap-1 whitespace-nowrap rounded-md px-1.5 hover:bg-muted hover:text-foreground pointer-coarse:h-11",
        state !== "none" && "text-foreground",
      )}
    >
      {label}
      <Icon aria-hidden className="size-3.5 shrink-0" />
    </button>
  );
}

interface TableProps {
  caption: string;
  /** Its `HeadCell`s. */
  head: ReactNode;
  /** Its `TableRow`s. */
  children: ReactNode;
  foot?: ReactNode;
  /** Columns have fixed widths, regardless of their content. */
  isFixed?: boolean;
  /** It may be wider than its container, and scrolls there. */
  isScrolled?: boolean;
}

/** A table that is rendered as a whole; long lists use `ListTable`. */
export function Table({ caption, head, children, foot, isFixed = false, isScrolled = false }: TableProps) {
  const t = useMessages(uiMessages);
  const table = (
    <table className={cn("w-full border-separate border-spacing-0 text-sm", isFixed && "table-fixed")}>
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>{head}</tr>
      </thead>
      <tbody>{children}</tbody>
      {foot ? <tfoot>{foot}</tfoot> : null}
    </table>
  );
  const classes = "max-w-full rounded-lg border bg-surface";
  return isScrolled ? (
    <section
      aria-label={t("table", { name: caption })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that keys can scroll it.
      tabIndex={0}
      className={cn(classes, "overflow-x-auto")}
    >
      {table}
    </section>
  ) : (
    <div className={cn(classes, "overflow-hidden")}>{table}</div>
  );
}

interface HeadCellProps extends ComponentProps<"th"> {
  /** Above numbers, which are right-aligned. */
  isNumber?: boolean | undefined;
}

export function HeadCell({ isNumber = false, className, ...props }: HeadCellProps) {
  return (
    <th
      scope="col"
      className={cn(headClasses, "px-2 sm:px-3", isNumber ? "text-end" : "text-start", className)}
      {...props}
    />
  );
}

/** A row, as high as a list's row if its content fits into one line. */
export function TableRow({ className, ...props }: ComponentProps<"tr">) {
  return <tr className={cn("hover:bg-muted/60 last:[&>*]:border-b-0", className)} {...props} />;
}

const cellClasses = "h-10 border-b px-2 py-1.5 pointer-coarse:h-11 sm:px-3";

/** The cell that names its row; a very long word does not push the other columns out of view. */
export function RowName({ className, ...props }: ComponentProps<"th">) {
  return (
    <th
      scope="row"
      className={cn(cellClasses, "text-start font-medium [overflow-wrap:anywhere]", className)}
      {...props}
    />
  );
}

interface CellProps extends ComponentProps<"td"> {
  isNumber?: boolean | undefined;
}

export function Cell({ isNumber = false, className, ...props }: CellProps) {
  return <td className={cn(cellClasses, isNumber && "text-end tabular-nums", className)} {...props} />;
}

/** Totals below a table. */
export function FootRow(props: ComponentProps<"tr">) {
  return <tr className="bg-muted font-semibold [&>*]:border-t [&>*]:border-b-0" {...props} />;
}

/** The label before a value on a card, which has no column heads. */
export const onCard = (layout: RowLayout, label: string) => (layout === "cards" ? label : undefined);

interface CellTextProps {
  /** If null, `instead` is shown. */
  value: string | null;
  instead: string;
  label?: string | undefined;
}

/** One line of a cell, truncated; on a card preceded by its label. */
export function CellText({ value, instead, label }: CellTextProps) {
  return (
    <span
      className={`block truncate ${value === null ? "text-muted-foreground italic" : ""}`}
      title={value ?? undefined}
    >
      {label ? <span className="text-muted-foreground not-italic">{label}: </span> : null}
      {value ?? instead}
    </span>
  );
}

interface ContactTextProps {
  email: string | null;
  phone: string | null;
  noEmail: string;
  noPhone: string;
}

/** Email and phone in two lines. */
export function ContactText({ email, phone, noEmail, noPhone }: ContactTextProps) {
  return (
    <span className="tabular-nums">
      <CellText value={email} instead={noEmail} />
      <CellText value={phone && formatPhone(phone)} instead={noPhone} />
    </span>
  );
}

/** A row with columns, or a card if the list is too narrow for them. */
export type RowLayout = "table" | "cards";

/**
 * In rem: the minimum width of the list for columns, and the height of each row, so that a row's position is known before it is rendered.
 */
export interface RowSizes {
  readonly tableMin: number;
  readonly height: Readonly<Record<RowLayout, number>>;
}

function remPx(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}

export function layoutOf(widthPx: number, { tableMin }: RowSizes): RowLayout {
  return widthPx >= tableMin * remPx() ? "table" : "cards";
}

export function rowPx(layout: RowLayout, { height }: RowSizes): number {
  return Math.round(height[layout] * remPx());
}
