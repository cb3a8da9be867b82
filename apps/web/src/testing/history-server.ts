import type { CallLog } from "@portal/contract/entities/call";
import type { Recording } from "@portal/contract/entities/recording";
import { getCallLogSummary, getLiveCall, getPhoneNumbers, listCallLogs } from "@portal/contract/routes/calls";
import { listRecordings } from "@portal/contract/routes/recordings";
import { replyTo, server } from "./server.ts";

interface HistoryReplies {
  logs?: CallLog[];
  missed?: CallLog[];
  recordings?: Recording[];
}

/** Serves the data of the call history; returns the queries of the logs, without that of missed calls. */
export function serveCallHistory({ logs = [], missed = [], recordings = [] }: HistoryReplies = {}) {
  const asked: string[] = [];
  server.use(
    replyTo(listCallLogs, ({ request }) => {
      const { searchParams } = new URL(request.url);
      if (searchParams.get("missed")) return missed;
      asked.push(searchParams.toString());
      return logs;
    }),
    replyTo(getCallLogSummary, {
      totalCalls: logs.length,
      answered: logs.filter(({ outcome }) => outcome === "answered").length,
      voicemails: logs.filter(({ outcome }) => outcome === "voicemail").length,
      totalSeconds: logs.reduce((sum, { duration }) => sum + duration, 0),
    }),
    replyTo(getPhoneNumbers, { systemNumber: "+12125550100", officeLine: null, textsByService: false }),
    replyTo(getLiveCall, { call: null }),
    replyTo(listRecordings, recordings),
  );
  return asked;
}

/** A recording of a call with a lead, with overrides. */
export function buildRecording(overrides: Partial<Recording> = {}): Recording {
  return {
    id: 3,
    recordingSid: `RE${"3".repeat(32)}`,
    recordingStatus: "completed",
    callSid: `CA${"3".repeat(32)}`,
    leadId: 7,
    leadName: "Inés Duarte",
    leadPhone: "+17875550107",
    kind: "call",
    duration: 74,
    createdAt: "2026-03-05T15:00:00.000Z",
    ...overrides,
  };
}
