import { loggedOutcomes } from "@portal/contract/entities/call";
import { leadStatuses, priorities } from "@portal/contract/entities/lead";
import type { TimelineEntry } from "@portal/contract/entities/timeline";
import { languages } from "@portal/contract/entities/user";
import { readFollowUpTime } from "@portal/contract/follow-up-time";
import { formatDate, formatMoney, formatPhone, formatTime } from "../../lib/format.ts";
import { formatZoneCity } from "../../lib/format-zone.ts";
import { type MessageKey, messagesOf } from "../../lib/i18n.ts";
import { leadLabelMessages } from "../../lib/lead-label-messages.ts";
import { leadLanguageMessages } from "../../lib/lead-language-messages.ts";
import { outcomeMessages } from "../telephony/call/messages.ts";
import { timelineMessages } from "./timeline-messages.ts";

type Key = MessageKey<(typeof timelineMessages)["pairs"]>;

/** The message key made from a server value, or the general one for an unknown value. */
function known(key: string, general: Key): Key {
  return key in timelineMessages.pairs ? (key as Key) : general;
}

/** A field's name in the current language. */
export function fieldLabel(field: string): string {
  return plain(known(`field_${field}`, "field_unknown"));
}

function plain(key: Key): string {
  // Keys made from server values have no placeholders.
  return (messagesOf(timelineMessages) as (key: Key) => string)(key);
}

/** The title of an entry. */
export function kindLabel({ kind, direction, field, before, after }: TimelineEntry): string {
  if (kind === "changed")
    return messagesOf(timelineMessages)("kind_changed", { field: fieldLabel(field ?? "") });
  if (kind === "assigned" && before !== null)
    return plain(after === null ? "kind_unassigned" : "kind_transferred");
  const directed = direction === null ? null : `kind_${kind}_${direction}`;
  if (directed && directed in timelineMessages.pairs) return plain(directed as Key);
  return plain(known(`kind_${kind}`, "kind_unknown"));
}

const instants: readonly string[] = ["lastContactedAt", "startTime", "endTime", "retryFrom"];

/** A field's value as text. */
export function valueLabel(field: string | null, value: unknown): string {
  if (value === null || value === undefined || value === "") return plain("none");
  if (typeof value === "boolean") return plain(value ? "yes" : "no");
  if ((field === "dealValue" || field === "conversionValue") && typeof value === "number") {
    return formatMoney(value);
  }
  const text = String(value);
  if (field === "nextFollowUpDate") return formatDate(text);
  const clock = field === "nextFollowUpTime" ? readFollowUpTime(text) : null;
  if (clock) return `${clock.time} (${formatZoneCity(clock.zone)})`;
  if (field !== null && instants.includes(field)) return `${formatDate(text)}, ${formatTime(text)}`;
  if (field === "phone") return formatPhone(text);
  const status = leadStatuses.find((each) => each === text);
  if (field === "status" && status) return messagesOf(leadLabelMessages)(status);
  const priority = priorities.find((each) => each === text);
  if (field === "priority" && priority) return messagesOf(leadLabelMessages)(priority);
  const language = languages.find((each) => each === text);
  if (field === "language" && language) return messagesOf(leadLanguageMessages)(language);
  const outcome = loggedOutcomes.find((each) => each === text);
  if ((field === "outcome" || field === "numberFault" || field === "call") && outcome)
    return messagesOf(outcomeMessages)(outcome);
  return text;
}

export interface ChangedField {
  field: string;
  before: unknown;
  after: unknown;
}

/** The changed fields of an entry: one, or those of a sync by name. */
export function changesOf({ field, before, after }: TimelineEntry): ChangedField[] {
  if (field) return [{ field, before, after }];
  if (typeof after !== "object" || after === null) return [];
  const [from, to] = [before, after] as Record<string, unknown>[];
  return Object.keys(to ?? {}).map((name) => ({ field: name, before: from?.[name], after: to?.[name] }));
}

interface DayGroup {
  day: string;
  at: string;
  entries: TimelineEntry[];
}

/** Entries grouped by day in the browser's zone, newest first. */
export function groupByDay(entries: readonly TimelineEntry[]): DayGroup[] {
  const groups: DayGroup[] = [];
  for (const entry of entries) {
    const day = new Date(entry.at).toDateString();
    const last = groups.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else groups.push({ day, at: entry.at, entries: [entry] });
  }
  return groups;
}
