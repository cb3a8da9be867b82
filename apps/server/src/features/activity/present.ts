import type { TimelineEntry } from "@portal/contract/entities/timeline";
import type { EventRow, TimelineRow } from "./repository.ts";

type Scalar = string | number | boolean | null;
type Change = Pick<TimelineEntry, "field" | "before" | "after" | "outcome" | "text">;

/** Columns of a lead that a sync may change and that a person reads, as the API calls them. */
const syncedFields: Record<string, string> = {
  name: "name",
  email: "email",
  phone: "phone",
  company: "company",
  industry: "industry",
  lead_source: "leadSource",
  deal_value: "dealValue",
  status: "status",
  priority: "priority",
  next_follow_up_date: "nextFollowUpDate",
  next_follow_up_time: "nextFollowUpTime",
  notes: "notes",
  call_opt_out: "callOptOut",
  text_opt_out: "textOptOut",
};

const scalar = (value: unknown): Scalar =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
const words = (value: unknown): string | null => (typeof value === "string" && value ? value : null);
const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

const nothing: Change = { field: null, before: null, after: null, outcome: null, text: null };

/** A sync changes several fields at once: `before` and `after` hold them by name; unchanged fields are left out. */
function syncChange(data: Record<string, unknown>): Change {
  const changes = record(data.changes);
  const isChanged = ({ before, after }: Record<string, unknown>) => scalar(before) !== scalar(after);
  const known = Object.entries(syncedFields).filter(
    ([column]) => column in changes && isChanged(record(changes[column])),
  );
  const side = (which: "before" | "after") =>
    Object.fromEntries(known.map(([column, name]) => [name, scalar(record(changes[column])[which])]));
  return known.length === 0 ? nothing : { ...nothing, before: side("before"), after: side("after") };
}

/** The changed fields of a meeting; its title is in the entry's text. */
function meetingChange(data: Record<string, unknown>): Change {
  const side = (which: "before" | "after") =>
    Object.fromEntries(Object.entries(record(data[which])).map(([name, value]) => [name, scalar(value)]));
  const [before, after] = [side("before"), side("after")];
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => (before[name] ?? null) !== (after[name] ?? null),
  );
  const whole = (values: Record<string, Scalar>) =>
    Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
  return { ...nothing, before: whole(before), after: whole(after), text: words(data.title) };
}

/** The change of an event, field by field; for an unknown kind, its plain values. */
function changeOf({ kind, data, beforeName, afterName }: EventRow): Change {
  switch (kind) {
    case "crm-synced":
      return syncChange(data);
    case "meeting-scheduled":
    case "meeting-changed":
    case "meeting-deleted":
      return meetingChange(data);
    case "assigned":
      return {
        ...nothing,
        field: "assignedTo",
        before: beforeName,
        after: afterName,
        text: words(data.notes),
      };
    case "converted":
      return {
        ...nothing,
        field: "conversionValue",
        after: scalar(data.conversionValue),
        text: words(data.notes),
      };
    case "created":
      return { ...nothing, after: scalar(data.from ?? data.source) };
    case "call-attempt":
      return { ...nothing, outcome: words(data.result), text: words(data.failure) };
    case "outcome-confirmed":
      return {
        ...nothing,
        field: "outcome",
        before: scalar(record(data.before).outcome),
        after: scalar(record(data.after).outcome),
        text: words(record(data.after).notes),
      };
    case "opted-out":
    case "opted-in":
      return { ...nothing, field: words(data.channel), after: scalar(data.reason) };
    case "message-left":
    case "message-cut":
    case "merged":
    case "unmerged":
      return { ...nothing, text: words(data.name) };
    case "note-added":
      return { ...nothing, text: words(data.text) };
    case "crm-note":
      return { ...nothing, text: words(data.body) };
    case "crm-pushed":
    case "crm-push-failed":
      return {
        ...nothing,
        field: words(data.field),
        after: data.field === "assignedTo" ? afterName : scalar(data.value),
        text: words(data.reason),
      };
    default:
      return {
        ...nothing,
        field: words(data.field),
        before: scalar(data.before),
        after: scalar(data.after),
        text: words(data.reason),
      };
  }
}

/** The changes made with a call that the call's own entry does not show. */
function presentRelated(row: EventRow): TimelineEntry["related"] {
  const { field, before, after } = changeOf(row);
  // The entry itself shows the first outcome.
  const isFirst = row.kind === "outcome-confirmed" && before === null;
  if (isFirst || before === after) return [];
  return [
    { key: `event:${row.id}`, at: row.at.toISOString(), actorName: row.actorName, field, before, after },
  ];
}

/** An entry of the timeline as the API answers it, field by field. */
export function presentEntry(row: TimelineRow): TimelineEntry {
  const common = {
    key: `${row.source}:${row.id}`,
    at: row.at.toISOString(),
    actorName: row.actorName,
  };
  const empty = {
    durationSeconds: null,
    durationReported: false,
    recordingSid: null,
    recordingSeconds: null,
    direction: null,
    noTranscription: null,
    status: null,
    attachments: null,
    related: [],
  };
  if (row.source === "event") {
    const { field, before, after, outcome, text } = changeOf(row);
    return { ...common, ...empty, kind: row.kind, field, before, after, outcome, text };
  }
  if (row.source === "call") {
    return {
      ...common,
      ...nothing,
      kind: "call",
      outcome: row.outcome,
      durationSeconds: row.reportedSeconds ?? row.durationSeconds,
      durationReported: row.reportedSeconds !== null,
      recordingSid: row.recording?.sid ?? null,
      recordingSeconds: row.recording?.durationSeconds ?? null,
      direction: row.direction,
      text: row.notes ?? row.transcription,
      noTranscription: row.noTranscription,
      status: null,
      attachments: null,
      related: row.related.flatMap(presentRelated),
    };
  }
  return {
    ...common,
    ...nothing,
    ...empty,
    kind: "text",
    direction: row.direction,
    text: row.body,
    status: row.status,
    attachments: row.attachments,
  };
}
