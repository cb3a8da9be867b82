import { formatPhone } from "../lib/format.ts";

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
