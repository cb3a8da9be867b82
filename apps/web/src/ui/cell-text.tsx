import { formatPhone } from "../lib/format.ts";

/** What stands before a value on a card, where no column head says what it is. */
export const onCard = (layout: RowLayout, label: string) => (layout === "cards" ? label : undefined);

interface CellTextProps {
  /** Null: `instead` stands there. */
  value: string | null;
  instead: string;
  label?: string | undefined;
}

/** A line of a cell, cut off where there is no room; on a card with what it is before it. */
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

/** How somebody is reached, in two lines. */
export function ContactText({ email, phone, noEmail, noPhone }: ContactTextProps) {
  return (
    <span className="tabular-nums">
      <CellText value={email} instead={noEmail} />
      <CellText value={phone && formatPhone(phone)} instead={noPhone} />
    </span>
  );
}

/** A row with columns, or a card where the list is too narrow for them. */
export type RowLayout = "table" | "cards";

/** In rem: the narrowest list that holds the columns, and how high each row is: so a row's place is known before it is read. */
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
