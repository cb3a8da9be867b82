import type { callRecordingSchema, Recording } from "@portal/contract/entities/recording";
import type { z } from "zod";
import type { CallRecordingRow, RecordingViewRow } from "./data-list.ts";

/** A recording as the API answers it, field by field. */
export function presentRecording(row: RecordingViewRow): Recording {
  return {
    id: row.id,
    recordingSid: row.recordingSid,
    recordingStatus: row.status,
    callSid: row.callSid,
    leadId: row.leadId,
    leadName: row.leadName,
    leadPhone: row.leadPhone,
    kind: row.kind,
    duration: row.durationSeconds,
    createdAt: row.createdAt.toISOString(),
  };
}

/** The other view: its sound lies under a path of ours. */
export function presentCallRecording(row: CallRecordingRow): z.infer<typeof callRecordingSchema> {
  return {
    id: row.id,
    callSid: row.callSid,
    recordingSid: row.recordingSid,
    leadId: row.leadId,
    duration: row.durationSeconds,
    callDate: row.callDate.toISOString(),
    audioUrl: row.recordingSid
      ? `/api/twilio/recording/${row.recordingSid}`
      : `/api/ai-recording/${row.leadId}`,
  };
}
