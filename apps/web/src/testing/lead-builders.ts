import type { Call, CallLog, InboundCall } from "@portal/contract/entities/call";
import type { DashboardStats, Lead } from "@portal/contract/entities/lead";

/** A lead that may be called, with overrides. */
export function buildLead(overrides: Partial<Lead> = {}): Lead {
  const status = overrides.status ?? "new";
  return {
    id: 7,
    name: "Inés Duarte",
    firstName: "Inés",
    lastName: "Duarte",
    email: "ines.duarte@example.com",
    phone: "+17875550107",
    company: "Solar del Este",
    industry: "Energy",
    status,
    leadStatus: status,
    leadSource: "GHL",
    language: null,
    languageGuess: null,
    priority: "high",
    notes: null,
    dealValue: null,
    ghlContactId: "ghl-7",
    aiRecordingUrl: null,
    aiRecordingSeconds: null,
    nextFollowUpDate: null,
    nextFollowUpTime: null,
    nextFollowUpZone: null,
    nextFollowUpAt: null,
    timeZone: null,
    lastContactDate: null,
    lastContactedAt: null,
    attempts: 0,
    lastAttemptAt: null,
    lastAttemptOutcome: null,
    assignedDate: "2026-11-01T12:00:00.000Z",
    assignedAt: "2026-11-01T12:00:00.000Z",
    assignedTo: 2,
    salesRepName: "Ana Rivera",
    createdAt: "2026-10-30T12:00:00.000Z",
    convertedAt: null,
    callRefusal: null,
    callAllowedAt: null,
    textRefusal: null,
    textAllowedAt: null,
    callOverride: false,
    textOverride: false,
    consentAt: null,
    consentSource: null,
    unreadTexts: 0,
    isMerged: false,
    crmSync: "synced",
    ...overrides,
  };
}

export function buildStats(overrides: Partial<DashboardStats> = {}): DashboardStats {
  return {
    totalLeads: 41,
    contactedToday: 5,
    pendingFollowUp: 3,
    newLeads: 20,
    contactedLeads: 10,
    interestedLeads: 8,
    notInterestedLeads: 3,
    needsOutcome: 0,
    ...overrides,
  };
}

/** A call that rings the rep's own phone, with overrides. */
export function buildCall(overrides: Partial<Call> = {}): Call {
  return {
    id: 31,
    leadId: 7,
    leadName: "Inés Duarte",
    leadCompany: "Solar del Este",
    leadPhone: "+17875550107",
    callSid: "CA31",
    onLine: false,
    state: "ringing_rep",
    result: null,
    repLine: "personal",
    officeLine: null,
    ending: false,
    requestedAt: "2026-11-20T10:00:00.000Z",
    leadRingingAt: null,
    answeredAt: null,
    answeredBy: null,
    endedAt: null,
    message: null,
    talkSeconds: null,
    dialsAt: null,
    failure: null,
    callLogId: null,
    givenOutcome: null,
    now: "2026-11-20T10:00:02.000Z",
    ...overrides,
  };
}

/** An inbound call of a lead that rings the rep's own phone, with overrides. */
export function buildInboundCall(overrides: Partial<InboundCall> = {}): InboundCall {
  return {
    id: 4,
    leadId: 7,
    leadName: "Inés Duarte",
    callerNumber: "+17875550107",
    callSid: "CA4",
    line: "personal",
    standsInFor: null,
    state: "ringing",
    startedAt: "2026-11-20T10:00:00.000Z",
    answeredAt: null,
    mayEnd: false,
    now: "2026-11-20T10:01:05.000Z",
    ...overrides,
  };
}

/** A log with only the provider's suggested outcome, with overrides. */
export function buildCallLog(overrides: Partial<CallLog> = {}): CallLog {
  return {
    id: 51,
    leadId: 7,
    leadName: "Inés Duarte",
    leadCompany: "Solar del Este",
    outcome: "voicemail",
    callType: "browser",
    callDate: "2026-11-20T09:00:00.000Z",
    duration: 12,
    durationReported: false,
    notes: null,
    twilioCallSid: "CA51",
    unmatched: false,
    checking: false,
    confirmed: false,
    salesRepName: "Ana Rivera",
    direction: "outbound",
    recordingSid: null,
    recordingSeconds: null,
    transcription: null,
    noTranscription: null,
    callerNumber: null,
    missed: false,
    missedDoneBy: null,
    ...overrides,
  };
}
