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
import type { leadAliases } from "../../platform/db/schema/lead-merges.ts";
import type { leads } from "../../platform/db/schema/leads.ts";
import type { LeadChanges } from "../leads/lead-repository.ts";

type Lead = typeof leads.$inferSelect;
export type Pair = Record<MergeSide, Lead>;

/** Which lead each field is taken from, and in which of them there is no choice. */
export interface MergeDecision {
  sides: Record<MergeField, MergeSide>;
  fixed: Set<MergeField>;
  /** The lead whose contact is pushed to; null where neither has one. */
  contact: MergeSide | null;
  /** The lead whose number, and what holds for it, comes first. */
  identity: MergeSide;
}

const otherOf = (side: MergeSide): MergeSide => (side === "kept" ? "other" : "kept");

/** What a field says of a lead; null where it says nothing. A status that nobody has set yet says nothing. */
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
 * The lead that a field is taken from unless somebody chooses: the one that says anything; where both do, the one that was called or texted
 * last. Of two follow-ups the sooner stands, and the lead that stays keeps its consultant.
 */
function defaultSide(pair: Pair, field: MergeField): MergeSide {
  const [kept, other] = [fieldValue(pair.kept, field), fieldValue(pair.other, field)];
  if (kept == null || other == null) return kept == null && other != null ? "other" : "kept";
  if (field === "assignedTo") return "kept";
  if (kept instanceof Date && other instanceof Date) return other < kept ? "other" : "kept";
  return workedAt(pair.other) > workedAt(pair.kept) ? "other" : "kept";
}

/** The contact that is pushed to: the only one, one that is still there before one that was deleted, else the person's choice. */
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
      // What the contact leaves empty the other lead says.
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

/** Why these two are not merged, whatever is under way with them. */
export function refusalOf({ kept, other }: Pair): MergeRefusal | null {
  return kept.status === "converted" && other.status === "converted" ? "both_clients" : null;
}

const pick = <Field extends keyof Lead>(lead: Lead, ...fields: Field[]): Pick<Lead, Field> =>
  Object.fromEntries(fields.map((field) => [field, lead[field]])) as Pick<Lead, Field>;

const latest = (a: Date | null, b: Date | null) => (a && b ? (a > b ? a : b) : (a ?? b));

/** Notes of both, those of the lead that stays first; what is too long stands on the timeline. */
function mergedNotes({ kept, other }: Pair): string | null {
  if (!other.notes || kept.notes?.includes(other.notes)) return kept.notes;
  return (kept.notes ? `${kept.notes}\n\n${other.notes}` : other.notes).slice(0, limits.notesMaxLength);
}

/** The columns that came with a file or a webhook are both leads'; what the CRM says is the chosen contact's. */
function mergedExtra({ kept, other }: Pair, contact: MergeSide | null): Lead["extra"] {
  const imported = {
    ...(other.extra?.imported as object | undefined),
    ...(kept.extra?.imported as object | undefined),
  };
  const own = (contact === "other" ? other.extra : kept.extra) ?? {};
  const extra = { ...own, ...(Object.keys(imported).length > 0 && { imported }) };
  return Object.keys(extra).length > 0 ? extra : null;
}

/** Consent was given for a number: that of the number that is called, or, where it is the same one, of either. */
function consentOf(pair: Pair, phone: MergeSide) {
  const [first, second] = [pair[phone], pair[otherOf(phone)]];
  const isSame = first.phoneE164 === second.phoneE164 || second.phoneE164 === null;
  const from = first.consentAt === null && isSame ? second : first;
  return pick(from, "consentAt", "consentSource");
}

/** What the lead that stays is after the merge. */
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
    // No call is due before either would be.
    retryFrom: latest(kept.retryFrom, other.retryFrom),
    lastContactedAt: latest(kept.lastContactedAt, other.lastContactedAt),
    extra: mergedExtra(pair, contact),
  };
  return { ...columns, search: searchText(columns) };
}

type Alias = Omit<typeof leadAliases.$inferInsert, "mergeId" | "leadId" | "addressState">;

/** By what else the lead is found, and what holds for it: number, address and contact that do not come first. */
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

/** What of the other lead stands nowhere else after the merge, for its line on the timeline. */
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
