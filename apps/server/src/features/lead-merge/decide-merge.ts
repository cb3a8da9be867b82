import {
  contactMergeFields,
  type MergeChoices,
  type MergeField,
  type MergeSide,
  mergeFields,
} from "@portal/contract/entities/lead-merge";
import type { MergeRefusal } from "@portal/contract/errors";
import { limits } from "@portal/contract/limits";
import { searchText } from "../../domain/search-text.ts";
import type { leadAliases, leads } from "../../platform/db/schema/leads.ts";
import type { LeadChanges } from "../leads/lead-repository.ts";

type Lead = typeof leads.$inferSelect;
export type Pair = Record<MergeSide, Lead>;

/** Which lead each field is taken from, and for which fields there is no choice. */
export interface MergeDecision {
  sides: Record<MergeField, MergeSide>;
  fixed: Set<MergeField>;
  /** The lead whose contact receives CRM changes; null if neither has one. */
  contact: MergeSide | null;
  /** The lead whose number, with its opt-outs and faults, becomes the main one. */
  identity: MergeSide;
}

const otherOf = (side: MergeSide): MergeSide => (side === "kept" ? "other" : "kept");

/** The value of a field; null if it is empty. A status that nobody has set yet counts as empty. */
function fieldValue(lead: Lead, field: MergeField): unknown {
  switch (field) {
    case "contact":
      return lead.ghlContactId;
    case "status":
      return lead.status === "new" ? null : lead.status;
    case "followUp":
      return lead.nextFollowUpDate;
    default:
      return lead[field];
  }
}

const workedAt = (lead: Lead) => (lead.lastActivityAt ?? lead.createdAt).getTime();

/**
 * The lead that a field is taken from by default: the one with a value; if both have one, the one contacted last. The earlier of two
 * follow-ups is kept, and the remaining lead keeps its consultant.
 */
function defaultSide(pair: Pair, field: MergeField): MergeSide {
  const [kept, other] = [fieldValue(pair.kept, field), fieldValue(pair.other, field)];
  if (kept == null || other == null) return kept == null && other != null ? "other" : "kept";
  if (field === "assignedTo") return "kept";
  if (kept instanceof Date && other instanceof Date) return other < kept ? "other" : "kept";
  return workedAt(pair.other) > workedAt(pair.kept) ? "other" : "kept";
}

/** The contact that receives CRM changes: the only one, an existing one before a deleted one, else the user's choice. */
function contactSide({ kept, other }: Pair, wanted: MergeSide | undefined) {
  if (!kept.ghlContactId && !other.ghlContactId) return { contact: null, isFixed: true };
  if (!kept.ghlContactId || !other.ghlContactId)
    return { contact: kept.ghlContactId ? ("kept" as const) : ("other" as const), isFixed: true };
  if ((kept.crmDeletedAt === null) !== (other.crmDeletedAt === null))
    return { contact: kept.crmDeletedAt === null ? ("kept" as const) : ("other" as const), isFixed: true };
  return { contact: wanted ?? defaultSide({ kept, other }, "contact"), isFixed: false };
}

/** Decides from which lead each field comes. */
export function decideSides(pair: Pair, choices: MergeChoices): MergeDecision {
  const fixed = new Set<MergeField>();
  const { contact, isFixed } = contactSide(pair, choices.contact);
  if (isFixed) fixed.add("contact");
  const tied: readonly MergeField[] = contactMergeFields;
  const client = (["kept", "other"] as const).find((side) => pair[side].status === "converted");
  const sideOf = (field: MergeField): MergeSide => {
    if (field === "contact") return contact ?? "kept";
    if (contact && tied.includes(field)) {
      fixed.add(field);
      // Fields that are empty in the contact come from the other lead.
      return fieldValue(pair[contact], field) == null && fieldValue(pair[otherOf(contact)], field) != null
        ? otherOf(contact)
        : contact;
    }
    if (field === "status" && client) {
      fixed.add(field);
      return client;
    }
    return choices[field] ?? defaultSide(pair, field);
  };
  const sides = Object.fromEntries(
    mergeFields.map((field) => [field, sideOf(field)]),
  ) as MergeDecision["sides"];
  return { sides, fixed, contact, identity: contact ?? sides.phone };
}

/** Why these two leads cannot be merged, regardless of running activity. */
export function refusalOf({ kept, other }: Pair): MergeRefusal | null {
  return kept.status === "converted" && other.status === "converted" ? "both_clients" : null;
}

const pick = <Field extends keyof Lead>(lead: Lead, ...fields: Field[]): Pick<Lead, Field> =>
  Object.fromEntries(fields.map((field) => [field, lead[field]])) as Pick<Lead, Field>;

const latest = (a: Date | null, b: Date | null) => (a && b ? (a > b ? a : b) : (a ?? b));

/** The notes of both leads, those of the remaining lead first; text beyond the maximum length is kept on the timeline. */
function mergedNotes({ kept, other }: Pair): string | null {
  if (!other.notes || kept.notes?.includes(other.notes)) return kept.notes;
  return (kept.notes ? `${kept.notes}\n\n${other.notes}` : other.notes).slice(0, limits.notesMaxLength);
}

/** Imported columns are taken from both leads; values from the CRM are those of the chosen contact. */
function mergedExtra({ kept, other }: Pair, contact: MergeSide | null): Lead["extra"] {
  const imported = {
    ...(other.extra?.imported as object | undefined),
    ...(kept.extra?.imported as object | undefined),
  };
  const own = (contact === "other" ? other.extra : kept.extra) ?? {};
  const extra = { ...own, ...(Object.keys(imported).length > 0 && { imported }) };
  return Object.keys(extra).length > 0 ? extra : null;
}

/** Consent was given for a number: the consent for the main number is used, or, if both numbers are the same, that of either lead. */
function consentOf(pair: Pair, phone: MergeSide) {
  const [first, second] = [pair[phone], pair[otherOf(phone)]];
  const isSame = first.phoneE164 === second.phoneE164 || second.phoneE164 === null;
  const from = first.consentAt === null && isSame ? second : first;
  return pick(from, "consentAt", "consentSource");
}

/** The columns of the remaining lead after the merge. */
export function mergedColumns(pair: Pair, { sides, contact, identity }: MergeDecision): LeadChanges {
  const { kept, other } = pair;
  const [named, numbered] = [pair[sides.name], pair[sides.phone]];
  const contacted = pair[contact ?? "kept"];
  const recorded = latest(kept.aiRecordingAt, other.aiRecordingAt) === kept.aiRecordingAt ? kept : other;
  const client = pair[sides.status];
  const columns = {
    ...pick(named, "name", "firstName", "lastName"),
    ...pick(numbered, "phone", "phoneE164", "timeZone", "numberFault"),
    ...pick(pair[identity], "callOptOut", "textOptOut"),
    ...pick(pair[sides.email], "email"),
    ...pick(pair[sides.company], "company"),
    ...pick(pair[sides.industry], "industry"),
    ...pick(pair[sides.leadSource], "leadSource"),
    ...pick(pair[sides.dealValue], "dealValue"),
    ...pick(client, "status", "convertedAt"),
    ...pick(pair[sides.priority], "priority"),
    ...pick(
      pair[sides.followUp],
      "nextFollowUpDate",
      "nextFollowUpTime",
      "nextFollowUpZone",
      "nextFollowUpAt",
    ),
    ...pick(pair[sides.assignedTo], "assignedTo", "assignedAt"),
    ...pick(contacted, "ghlContactId", "crmUpdatedAt", "crmDeletedAt", "crmNoteId", "crmSync"),
    ...pick(recorded, "aiRecordingMessageId", "aiRecordingAt", "aiRecordingSeconds"),
    ...consentOf(pair, sides.phone),
    crmHash: null,
    notes: mergedNotes(pair),
    language: kept.language ?? other.language,
    languageGuess: kept.languageGuess ?? other.languageGuess,
    // No call is due earlier than it would be for either lead.
    retryFrom: latest(kept.retryFrom, other.retryFrom),
    lastContactedAt: latest(kept.lastContactedAt, other.lastContactedAt),
    extra: mergedExtra(pair, contact),
  };
  return { ...columns, search: searchText(columns) };
}

type Alias = Omit<typeof leadAliases.$inferInsert, "mergeId" | "leadId" | "addressState">;

/** The other number, address and contact by which the lead is also found, with their opt-outs. */
export function aliasOf(pair: Pair, { sides, contact, identity }: MergeDecision): Alias {
  const further = pair[otherOf(identity)];
  const email = contact ? further.email : pair[otherOf(sides.email)].email;
  const { company, industry, leadSource, dealValue, phone } = further;
  return {
    ...pick(further, "phone", "phoneE164", "ghlContactId", "callOptOut", "textOptOut", "timeZone"),
    email,
    fallback: contact && {
      phone,
      email: further.email,
      company,
      industry,
      lead_source: leadSource,
      deal_value: dealValue,
    },
    search: searchText({ ...pick(pair.other, "name"), ...pick(further, "phone", "phoneE164"), email }),
  };
}

/** The values of the other lead that are lost in the merge, for its entry on the timeline. */
export function setAside(pair: Pair, { sides }: MergeDecision): Record<string, unknown> {
  const fields = mergeFields.filter(
    (field) => field !== "contact" && field !== "followUp" && field !== "assignedTo",
  );
  const lost = fields.flatMap((field) => {
    const value = fieldValue(pair[otherOf(sides[field])], field);
    return value == null || value === fieldValue(pair[sides[field]], field) ? [] : [[field, value]];
  });
  const notes = mergedNotes(pair);
  const isCut = pair.other.notes && !notes?.includes(pair.other.notes);
  return { ...Object.fromEntries(lost), ...(isCut && { notes: pair.other.notes }) };
}
