import { splitName } from "../../domain/person-name.ts";
import type { Crm, CrmContact, CrmContactPatch, CrmNoteText } from "../../ports/crm.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import type { OutboxRow } from "../crm-outbox/repository.ts";

/** Fields of a contact; notes are a separate record in the CRM. */
export type ContactField = Exclude<OutboxRow["field"], "notes">;

/** How a change is written, and whether the contact holds it afterwards. */
export interface Plan {
  patch: CrmContactPatch;
  kept: (contact: CrmContact) => boolean;
  /** Name of the field in messages. */
  label: string;
}

const asText = (value: unknown) => (value === null || value === undefined ? null : String(value));

/** Some accounts return names in lower case only. */
function isNamed(contact: CrmContact, wanted: string): boolean {
  const parts = [contact.firstName, contact.lastName].filter((part) => part !== null).join(" ");
  const name = (parts || contact.name)?.normalize("NFC");
  return name === wanted || name === wanted.toLowerCase();
}

function sameInstant(a: string | undefined, b: string | null): boolean {
  return b === null ? a === undefined : new Date(a ?? "").getTime() === new Date(b).getTime();
}

/** How each field is written and verified. `crmUserId` is the CRM's id of the new owner. */
const plans: Record<ContactField, (value: unknown, crmUserId: string | null) => Plan> = {
  name: (value) => {
    const { firstName, lastName } = splitName(String(value));
    return {
      patch: { name: { name: String(value), firstName: firstName ?? "", lastName: lastName ?? "" } },
      kept: (contact) => isNamed(contact, String(value).normalize("NFC")),
      label: "name",
    };
  },
  status: (value) => ({
    patch: { own: { status: asText(value) } },
    kept: ({ own }) => own.status === value,
    label: "status",
  }),
  priority: (value) => ({
    patch: { own: { priority: asText(value) } },
    kept: ({ own }) => own.priority === value,
    label: "priority",
  }),
  nextFollowUpDate: (value) => ({
    patch: { own: { nextFollowUpDate: asText(value) } },
    kept: ({ own }) => sameInstant(own.nextFollowUpDate, asText(value)),
    label: "follow-up date",
  }),
  nextFollowUpTime: (value) => ({
    patch: { own: { nextFollowUpTime: asText(value) } },
    kept: ({ own }) => (own.nextFollowUpTime ?? null) === asText(value),
    label: "follow-up time",
  }),
  assignedTo: (_value, crmUserId) => ({
    patch: { assignedTo: crmUserId },
    kept: ({ assignedTo }) => assignedTo === crmUserId,
    label: "assignment",
  }),
  // A contact with all channels blocked stays blocked when one channel is allowed again; the CRM decides that.
  callsBlocked: (value) => ({
    patch: { callsBlocked: value === true },
    kept: ({ callsBlocked }) => value !== true || callsBlocked === true,
    label: "do-not-disturb for calls",
  }),
  textsBlocked: (value) => ({
    patch: { textsBlocked: value === true },
    kept: ({ textsBlocked }) => value !== true || textsBlocked === true,
    label: "do-not-disturb for texts",
  }),
  conversion: (value) => {
    const { value: amount, at } = value as { value: number; at: string };
    return {
      patch: { own: { conversionValue: String(amount), convertedAt: at } },
      kept: ({ own }) => Number(own.conversionValue) === amount && sameInstant(own.convertedAt, at),
      label: "conversion",
    };
  },
};

export interface Ready {
  row: OutboxRow;
  plan: Plan;
}

export function planChange(row: OutboxRow & { field: ContactField }, crmUserId: string | null): Ready {
  return { row, plan: plans[row.field](row.value, crmUserId) };
}

/** The CRM accepted a field without an error but did not store it. */
export class NotSavedError extends Error {
  constructor(label: string) {
    super(`GoHighLevel did not keep the new ${label}.`);
  }
}

/** Errors by change; a change without one was sent. `at` is the contact's last change after all of them. */
export interface SendResult {
  errors: Map<OutboxRow, unknown>;
  at: Date | null;
}

function merged(ready: Ready[]): CrmContactPatch {
  const own = Object.assign({}, ...ready.map(({ plan }) => plan.patch.own ?? {}));
  const patch: CrmContactPatch = Object.assign({}, ...ready.map(({ plan }) => plan.patch));
  return Object.keys(own).length > 0 ? { ...patch, own } : patch;
}

/**
 * Sends the changes of one contact in one request and reads them back, because the CRM drops fields without an error. If it refuses the
 * request, each change is sent by itself, so that a bad one does not block others.
 */
export async function sendToContact(crm: Crm, contactId: string, ready: Ready[]): Promise<SendResult> {
  if (ready.length === 0) return { errors: new Map(), at: null };
  const fresh = ready.some(({ row }) => row.attempts > 0);
  try {
    await crm.updateContact(contactId, merged(ready), { fresh });
    const contact = await crm.readContact(contactId);
    const lost = ready.filter(({ plan }) => !plan.kept(contact));
    return {
      errors: new Map(lost.map(({ row, plan }) => [row, new NotSavedError(plan.label)])),
      at: contact.updatedAt,
    };
  } catch (error) {
    const refused = error instanceof ProviderError && error.kind === "invalid";
    if (!refused || ready.length === 1)
      return { errors: new Map(ready.map(({ row }) => [row, error])), at: null };
    const results = [];
    for (const one of ready) results.push(await sendToContact(crm, contactId, [one]));
    return {
      errors: new Map(results.flatMap(({ errors }) => [...errors])),
      at: results.map(({ at }) => at).findLast((at) => at !== null) ?? null,
    };
  }
}

/** A note as plain text: the vendor's editor may have added tags and entities. */
function plain(text: string): string {
  return text
    .replace(/<[^>]*>/g, " ")
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_whole, name: string) => entities[name] ?? " ")
    .replace(/\s+/g, " ")
    .trim()
    .normalize("NFC");
}
const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " " };

/** Whether a note has the same text as these notes. */
export function saysTheSame(note: CrmNoteText, notes: string): boolean {
  return [note.body, note.text].some((text) => plain(text) === plain(notes));
}

/**
 * Writes a lead's notes as one note of its contact and reads it back; empty notes delete it. Returns the note's id, or null if there is
 * none. Errors: `ProviderError`, `NotSavedError`.
 */
export async function sendNotes(
  crm: Crm,
  contactId: string,
  { noteId, notes }: { noteId: string | null; notes: string | null },
  onWritten: (noteId: string) => Promise<void>,
): Promise<string | null> {
  if (notes === null || notes.trim() === "") {
    if (noteId !== null) await crm.removeNote(contactId, noteId);
    return null;
  }
  const id = await crm.saveNote(contactId, { noteId, body: notes });
  // Stored before anything else can fail, so that a repeated attempt updates the same note.
  if (id !== noteId) await onWritten(id);
  const kept = await crm.readNote(contactId, id);
  if (!saysTheSame(kept, notes)) throw new NotSavedError("notes");
  return id;
}
