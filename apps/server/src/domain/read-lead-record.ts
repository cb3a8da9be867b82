import type { LeadStatus, Priority } from "@portal/contract/entities/lead";
import { type ImportFault, importFaultText } from "@portal/contract/import-faults";
import { aliasRank, headerKey, type LeadField, leadFieldOf } from "@portal/contract/lead-headers";
import { parseDealValue, readPriority, readStatus } from "@portal/contract/lead-values";
import { limits } from "@portal/contract/limits";
import {
  cleanText,
  isPlaceholder,
  readEmail,
  readPhone,
  saysNothing,
  withoutPlaceholders,
} from "./contact-cells.ts";
import { plainPhone } from "./phone.ts";
import { foldText } from "./search-text.ts";

/** A lead from an import, a webhook or the CRM, with its values already parsed. Absent, null and '' mean that the sender gave no value. */
export interface IncomingLead {
  /**
   * Full name, or first and last name. Capitals and accents are corrected when the lead is ingested. Without a name the email or the phone
   * is used.
   */
  name?: string | null;
  firstName?: string | null;
  lastName?: string | null;
  email?: string | null;
  /** As typed. */
  phone?: string | null;
  /** Set if it was already parsed from `phone`; otherwise it is parsed when the lead is ingested. */
  phoneE164?: string | null;
  company?: string | null;
  industry?: string | null;
  status?: Exclude<LeadStatus, "converted"> | null;
  priority?: Priority | null;
  notes?: string | null;
  dealValue?: number | null;
  leadSource?: string | null;
  ghlContactId?: string | null;
  /** The lead that the sender's record is linked to. It decides which lead is updated, whatever else the record holds. */
  leadId?: number | null;
  /** Values without a column here, by the sender's names. */
  extra?: Record<string, unknown> | null;
}

export interface ReadRecord {
  lead: IncomingLead;
  /** Why the record cannot be ingested; empty if it can. */
  reasons: ImportFault[];
  /** The reasons as texts for the sender. */
  faults: string[];
  /** The record has an email address and a phone that cannot be parsed or dialed: the lead is ingested with its phone as typed. */
  isPhoneUnreadable: boolean;
}

export type FieldMapping = Record<string, LeadField | null>;

interface Cell {
  header: string;
  value: unknown;
}

/** The columns of each field, the best first, and the columns without a field. */
interface Plan {
  fields: Map<LeadField, number[]>;
  others: number[];
}

const labels: Partial<Record<LeadField, string>> = {
  company: "Company",
  industry: "Industry",
  leadSource: "Source",
  notes: "Notes",
};

/** Columns that failed.csv adds before the sender's own. */
const ownColumns = new Set(["importerror", "importrow"]);

function planOf(headers: string[], mapping: FieldMapping): Plan {
  const fields = new Map<LeadField, number[]>();
  const others: number[] = [];
  for (const [index, header] of headers.entries()) {
    const field = Object.hasOwn(mapping, header) ? mapping[header] : leadFieldOf(header);
    if (ownColumns.has(headerKey(header))) continue;
    if (!field) others.push(index);
    else fields.set(field, [...(fields.get(field) ?? []), index]);
  }
  for (const columns of fields.values())
    columns.sort((a, b) => aliasRank(headers[a] ?? "") - aliasRank(headers[b] ?? "") || a - b);
  return { fields, others };
}

/** Returns why a value cannot be stored, or null: PostgreSQL stores no lone surrogates, and nesting is limited. */
export function faultOfValue(value: unknown, depth = 0): "broken_text" | "too_deep" | null {
  if (typeof value === "string") return value.isWellFormed() ? null : "broken_text";
  if (typeof value !== "object" || value === null) return null;
  if (depth >= limits.importDepthMax) return "too_deep";
  for (const [key, inner] of Object.entries(value)) {
    const why = key.isWellFormed() ? faultOfValue(inner, depth + 1) : "broken_text";
    if (why) return why;
  }
  return null;
}

/** A value as JSON that PostgreSQL can store. */
function storable(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("\u0000", "");
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storable(key), storable(inner)]));
  return value;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return cleanText(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value))
    for (const inner of value) {
      const text = textOf(inner);
      if (text) return text;
    }
  return "";
}

function isBlank(value: unknown): boolean {
  if (typeof value === "string") return value.trim() === "";
  return value === null || value === undefined;
}

/** A reason with the beginning of the rejected value, ready to be stored. */
function faultOf(code: ImportFault["code"], value: string | null): ImportFault {
  return { code, value: value?.replaceAll("\u0000", "").slice(0, 100).toWellFormed() ?? null };
}

/** Reads the cells of one record by its plan. Values without a column are kept in `extra` under their header. */
class RecordReading {
  readonly reasons: ImportFault[] = [];
  readonly extra: [string, unknown][] = [];
  readonly #cells: Cell[];
  readonly #plan: Plan;

  constructor(cells: Cell[], plan: Plan) {
    this.#cells = cells;
    this.#plan = plan;
    for (const index of plan.others) this.keep(index);
  }

  refuse(code: ImportFault["code"], value: string | null = null): void {
    this.reasons.push(faultOf(code, value));
  }

  /** Keeps a cell in `extra` under its header. A bracketed placeholder is left out, because it must not replace a value. */
  keep(index: number): void {
    const cell = this.#cells[index];
    if (!cell || isBlank(cell.value)) return;
    if (typeof cell.value === "string" && !withoutPlaceholders(cell.value)) return;
    if (typeof cell.value === "string" && cell.value.length > limits.importCellMaxLength)
      this.refuse("too_long", cell.header || "A cell");
    else {
      const header = cleanText(cell.header).slice(0, limits.importHeaderMaxLength).toWellFormed();
      this.extra.push([header || `Column ${index + 1}`, storable(cell.value)]);
    }
  }

  /**
   * Returns the first column of the field with a value, as text, and keeps the others in `extra`. Except in notes, a placeholder is no
   * value.
   */
  take(field: LeadField): { text: string; index: number } | null {
    let found: { text: string; index: number } | null = null;
    for (const index of this.#plan.fields.get(field) ?? []) {
      const { value } = this.#cells[index] ?? {};
      const said = textOf(value);
      if (field !== "notes" && said && isPlaceholder(said)) continue;
      const text: string = found ? "" : said;
      if (text) {
        found = { text, index };
        if (typeof value === "object") this.keep(index);
      } else this.keep(index);
    }
    return found;
  }

  /** Returns a text of at most `maxLength`. */
  text(field: LeadField, maxLength: number = limits.nameMaxLength): string | null {
    const found = this.take(field);
    if (!found) return null;
    if (found.text.length > maxLength) this.refuse("too_long", labels[field] ?? "Name");
    return found.text;
  }

  /** Returns a value that `read` can parse, and keeps other values in `extra`. */
  word<Value>(field: LeadField, read: (text: string) => Value | null): Value | null {
    const found = this.take(field);
    if (!found) return null;
    const value = read(found.text);
    if (value === null && !saysNothing(found.text)) this.keep(found.index);
    return value;
  }
}

type Names = Pick<IncomingLead, "name" | "firstName" | "lastName">;

/** 'Name' with 'Last name' is the first name, unless it contains both. A single first or last name leaves the other empty. */
function readNames(reading: RecordReading): Names {
  const part = (field: "name" | "firstName" | "lastName") => {
    const text = reading.text(field);
    return text && (withoutPlaceholders(text) || null);
  };
  const name = part("name");
  const firstName = part("firstName");
  const lastName = part("lastName");
  if (!name || firstName || !lastName)
    return firstName && lastName ? { firstName, lastName } : { name, firstName, lastName };
  if (foldText(name).includes(foldText(lastName))) return { name };
  return { firstName: name, lastName };
}

function readContact(
  reading: RecordReading,
  country: "US" | "ES",
): Pick<IncomingLead, "email" | "phone" | "phoneE164"> & { isPhoneUnreadable: boolean } {
  const emailCell = reading.take("email");
  const phoneCell = reading.take("phone");
  const wantsEmail = emailCell !== null && !saysNothing(emailCell.text);
  const { email, others } = wantsEmail ? readEmail(emailCell.text) : { email: null, others: false };
  if (wantsEmail && !email) reading.refuse("invalid_email", emailCell.text);
  if (emailCell && others) reading.keep(emailCell.index);
  const phoneText = plainPhone(phoneCell?.text ?? "").trim();
  if (!phoneCell || !phoneText || saysNothing(phoneText)) {
    if (!wantsEmail) reading.refuse("no_contact");
    return { email, isPhoneUnreadable: false };
  }
  const read = readPhone(phoneCell.text, country);
  if (read.others) reading.keep(phoneCell.index);
  if (!read.phoneE164 && !wantsEmail) reading.refuse("invalid_phone", phoneCell.text);
  const isPhoneUnreadable = read.phoneE164 === null;
  if (read.phone.length <= limits.phoneMaxLength)
    return { email, phone: read.phone, phoneE164: read.phoneE164, isPhoneUnreadable };
  reading.keep(phoneCell.index);
  return { email, isPhoneUnreadable };
}

function answer(lead: IncomingLead, reasons: ImportFault[], isPhoneUnreadable = false): ReadRecord {
  return { lead, reasons, faults: reasons.map(importFaultText), isPhoneUnreadable };
}

function readCells(cells: Cell[], plan: Plan, country: "US" | "ES"): ReadRecord {
  const unkept = cells.flatMap(({ header, value }) => {
    const why = header.isWellFormed() ? faultOfValue(value) : "broken_text";
    return why ? [faultOf(why, header || "A cell")] : [];
  });
  if (unkept.length > 0) return answer({}, unkept);
  const reading = new RecordReading(cells, plan);
  const names = readNames(reading);
  const contact = readContact(reading, country);
  const lead: IncomingLead = {
    name: names.name,
    firstName: names.firstName,
    lastName: names.lastName,
    email: contact.email,
    phone: contact.phone,
    phoneE164: contact.phoneE164,
    company: reading.text("company"),
    industry: reading.text("industry"),
    status: reading.word("status", readStatus),
    priority: reading.word("priority", readPriority),
    notes: reading.text("notes", limits.notesMaxLength),
    dealValue: reading.word("dealValue", parseDealValue),
    leadSource: reading.text("leadSource"),
    extra: Object.fromEntries(reading.extra),
  };
  return answer(lead, reading.reasons, contact.isPhoneUnreadable);
}

/**
 * Returns a reader for records of any shape. Columns are found by the aliases of their headers or by `mapping`. Unknown columns, and
 * statuses, priorities and amounts that cannot be parsed, are kept in `extra`. With `columns`, records are arrays of cells.
 */
export function createRecordReader(options: {
  country: "US" | "ES";
  columns?: string[] | null;
  mapping?: FieldMapping | null;
}): (record: unknown) => ReadRecord {
  const { country, columns } = options;
  const mapping = options.mapping ?? {};
  const refuse = (code: ImportFault["code"], value: string | null = null) =>
    answer({}, [faultOf(code, value)]);
  const plans = new Map<string, Plan>();
  const planFor = (headers: string[]): Plan => {
    const key = headers.join("\u0000");
    const plan = plans.get(key) ?? planOf(headers, mapping);
    // Limited, so that records with ever different keys cannot fill the memory.
    if (plans.size < 100) plans.set(key, plan);
    return plan;
  };
  const columnPlan = columns ? planOf(columns, mapping) : null;

  return (record) => {
    if (columns && columnPlan) {
      if (!Array.isArray(record)) return refuse("not_cells");
      if (record.slice(columns.length).some((value) => !isBlank(value)))
        return refuse("too_many_cells", `${record.length} > ${columns.length}`);
      const cells = columns.map((header, index) => ({ header, value: record[index] }));
      return readCells(cells, columnPlan, country);
    }
    if (typeof record !== "object" || record === null || Array.isArray(record)) return refuse("not_a_record");
    const cells = Object.entries(record).map(([header, value]) => ({ header, value }));
    const headers = cells.map(({ header }) => header);
    return readCells(cells, planFor(headers), country);
  };
}
