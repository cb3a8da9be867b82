import type { CallOutcome, CallResult } from "@portal/contract/entities/call";
import type { LeadStatus, Priority } from "@portal/contract/entities/lead";
import type { DeliveryOutcome, WebhookSource } from "@portal/contract/entities/lead-webhook";
import type { ImportFault } from "@portal/contract/import-faults";
import type { OrgClock } from "./org-clock.ts";
import type { Area, Industry } from "./people.ts";
import type { Random } from "./random.ts";

/** One of the demo's accounts. */
export interface Person {
  id: number;
  /** The signature of SMS. */
  firstName: string;
  email: string;
  /** E.164; null for a consultant who is called on the office line. */
  phone: string | null;
  crmUserId: string;
}

/** Instants are ms since 1970 everywhere. */
export interface Lead {
  id: number;
  /** The CRM's contact; null for a lead of an import. */
  contactId: string | null;
  firstName: string;
  lastName: string;
  email: string | null;
  phone: string;
  area: Area;
  company: string | null;
  industry: Industry | null;
  source: string;
  dealValue: number | null;
  language: "en" | "es";
  /** The lead has sent SMS, from which the language can be guessed. */
  wrote: boolean;
  tags: string[];
  createdAt: number;
  /** When the lead was created in the portal. */
  arrivedAt: number;
  owner: Person | null;
  assignedAt: number | null;
  status: LeadStatus;
  /** Whether a status was pushed to the CRM. */
  pushedStatus: boolean;
  priority: Priority;
  notes: string | null;
  noteId: string | null;
  followUpAt: number | null;
  lastContactedAt: number | null;
  lastActivityAt: number | null;
  convertedAt: number | null;
  conversionValue: number | null;
  numberFault: "wrong_number" | "disconnected" | null;
  /** The CRM's "do not disturb", for all channels. */
  doNotDisturb: boolean;
  stoppedAt: number | null;
  /** An SMS failed: none are sent to the number any more. */
  unreachableByText: boolean;
  aiCall: { id: string; at: number; durationSeconds: number } | null;
  /** When the contact last changed in the CRM, and the row here. */
  crmUpdatedAt: number;
  updatedAt: number;
  /** When the consultant plans the next call, and the number of consecutive calls that reached nobody. */
  nextCallAt: number;
  missesInRow: number;
  conversations: number;
  /** The last day on which the lead was called. */
  calledOn: number;
}

export interface Call {
  id: number;
  lead: Lead;
  rep: Person;
  at: number;
  result: CallResult;
  durationSeconds: number;
  ringingAt: number | null;
  answeredAt: number | null;
  endedAt: number;
  sid: string;
  leadSid: string | null;
  recordingSid: string | null;
  logId: number | null;
  outcome: CallOutcome | null;
  confirmedAt: number | null;
  notes: string | null;
}

export interface InboundCall {
  id: number;
  logId: number;
  lead: Lead | null;
  from: string;
  at: number;
  result: "answered" | "voicemail" | "missed";
  taken: "rep" | "office" | null;
  durationSeconds: number;
  answeredAt: number | null;
  endedAt: number;
  voicemailSeconds: number | null;
  transcription: string | null;
  /** The provider does not transcribe Spanish. */
  noTranscription: "language" | null;
  sid: string;
  repSid: string;
  officeSid: string;
  recordingSid: string | null;
  settledAt: number | null;
  settledBy: Person | null;
  notes: string | null;
  confirmedAt: number | null;
}

export interface DemoSms {
  id: number;
  lead: Lead | null;
  author: Person | null;
  inbound: boolean;
  body: string;
  status: "delivered" | "undelivered" | "received";
  errorCode: number | null;
  /** The other party's number. */
  number: string;
  at: number;
  readAt: number | null;
  sid: string;
  /** When and by whom an SMS of an unknown number was removed from the inbox. */
  dismissed: { at: number; by: Person } | null;
}

/** A number that sent an SMS and belongs to no lead. */
export type Stranger = Pick<Lead, "phone" | "area" | "firstName" | "lastName">;

/** Another system's request with leads. */
export interface Delivery {
  id: number;
  source: WebhookSource;
  key: string;
  at: number;
  body: unknown;
  /** The record at the sender. */
  externalId: string | null;
  items: { outcome: DeliveryOutcome; reason: string | null; lead: Lead | null }[];
  processedAt: number;
  attempts: number;
  error: string | null;
}

export interface DialerItem {
  lead: Lead;
  state: "done" | "skipped" | "waiting";
  call: Call | null;
  dialledAt: number | null;
  settledAt: number | null;
}

/** An ended session of the auto-dialer. */
export interface DialerSession {
  id: number;
  rep: Person;
  startedAt: number;
  endedAt: number;
  /** When its summary was closed. */
  closedAt: number;
  status: "completed" | "stopped";
  /** Number of processed leads. */
  position: number;
  items: DialerItem[];
}

export interface Meeting {
  id: number;
  owner: Person;
  lead: Lead;
  title: string;
  startsAt: number;
  endsAt: number;
  createdAt: number;
}

export interface Client {
  id: number;
  lead: Lead;
  by: Person;
  at: number;
  value: number;
  notes: string;
}

export interface History {
  at: number;
  lead: Lead;
  userId: number | null;
  kind: string;
  data: Record<string, unknown>;
}

export interface Audit {
  at: number;
  userId: number | null;
  action: string;
  subject: string | null;
  data: Record<string, unknown>;
}

/** A change that the CRM already has. */
export interface CrmChange {
  at: number;
  lead: Lead;
  userId: number | null;
  field: string;
  value: unknown;
}

export interface SyncRun {
  id: number;
  kind: "assigned" | "all";
  by: Person;
  at: number;
  finishedAt: number;
  synced: number;
  created: number;
  changed: number;
}

export interface ImportRun {
  id: number;
  by: Person;
  fileName: string;
  at: number;
  columns: string[];
  total: number;
  imported: number;
  skipped: number;
  failures: { row: number; reasons: ImportFault[]; cells: string[] }[];
}

/** All invented events, generated once and written to both sides. */
export interface World {
  random: Random;
  clock: OrgClock;
  reps: [Person, Person, Person];
  admin: Person;
  leads: Lead[];
  /** Leads of the CRM that the portal has not ingested yet, and those whose contact has changed. */
  waiting: Lead[];
  changedThere: Map<Lead, { dealValue: number }>;
  calls: Call[];
  inbound: InboundCall[];
  texts: DemoSms[];
  strangers: Stranger[];
  deliveries: Delivery[];
  sessions: DialerSession[];
  meetings: Meeting[];
  clients: Client[];
  history: History[];
  audit: Audit[];
  changes: CrmChange[];
  runs: SyncRun[];
  imports: ImportRun[];
}
