import type { InboxEntry } from "@portal/contract/entities/inbox";
import type { EntryRow } from "./repository.ts";

/** An entry as the API answers it, field by field. */
export function presentEntry(row: EntryRow): InboxEntry {
  const { leadId } = row;
  return {
    id: row.id,
    lead:
      leadId === null
        ? null
        : {
            id: leadId,
            name: row.leadName ?? "",
            company: row.company,
            assignedTo: row.assignedTo,
            salesRepName: row.salesRepName,
          },
    number: row.number === "anonymous" ? null : row.number,
    at: row.at.toISOString(),
    textCount: row.textCount,
    callCount: row.callCount,
    lastTextId: row.lastTextId,
    lastCallId: row.lastCallId,
    texts: row.texts.map(({ id, message, attachments, createdAt }) => ({
      id,
      message,
      attachments,
      createdAt: createdAt.toISOString(),
    })),
    calls: row.calls.map((call) => ({
      id: call.id,
      logId: call.logId,
      result: call.result,
      startedAt: call.startedAt.toISOString(),
      recordingSid: call.recording?.sid ?? null,
      recordingSeconds: call.recording?.durationSeconds ?? null,
      transcription: call.transcription,
      noTranscription: call.noTranscription,
    })),
  };
}
