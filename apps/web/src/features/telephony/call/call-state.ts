import { type Call, type CallOutcome, callStates, type SavedOutcome } from "@portal/contract/entities/call";
import type { editableLeadStatuses, Lead } from "@portal/contract/entities/lead";
import { type FollowUpChoice, followUpChange, followUpOf } from "../../../lib/follow-up.ts";

/** The data of a lead that a call needs. */
export interface CallLead {
  readonly id: number;
  readonly name: string;
  readonly company: string | null;
  readonly phone: string | null;
}

/** Planned changes of the lead after a call. */
export interface LeadPlan {
  /** Null keeps the lead's status. */
  readonly status: (typeof editableLeadStatuses)[number] | null;
  /** Undefined keeps the lead's follow-up, null removes it. */
  readonly followUp: FollowUpChoice | null | undefined;
}

export const noPlan: LeadPlan = { status: null, followUp: undefined };

/** State of the call dialog: idle, connecting (request pending), live, or ended. */
export interface CallDialogState {
  readonly phase: "idle" | "connecting" | "live" | "ended";
  readonly open: boolean;
  readonly lead: CallLead | null;
  readonly callId: number | null;
  readonly callSid: string | null;
  readonly call: Call | null;
  /** Browser clock in ms: when the request was accepted (start of the timer), and when the call ended. */
  readonly acceptedAt: number | null;
  readonly endedAt: number | null;
  /** Server clock minus browser clock, in ms. */
  readonly clockOffset: number;
  readonly ending: boolean;
  readonly outcome: SavedOutcome | null;
  /** Whether the consultant chose the outcome; a suggestion never replaces that. */
  readonly chosen: boolean;
  readonly notes: string;
  readonly plan: LeadPlan;
  readonly save: "none" | "pending" | "failed";
  /** Closing would lose typed notes, as there is no outcome. */
  readonly warned: boolean;
  /** Why the request was refused, or null. */
  readonly refusal: string | null;
}

export type CallDialogAction =
  | { readonly type: "prepared"; readonly lead: CallLead }
  | { readonly type: "started"; readonly lead: CallLead }
  | { readonly type: "accepted"; readonly callId: number; readonly callSid: string; readonly at: number }
  | { readonly type: "refused"; readonly message: string }
  | { readonly type: "resumed"; readonly call: Call; readonly at: number }
  | { readonly type: "reported"; readonly call: Call; readonly at: number }
  | { readonly type: "ending" }
  | { readonly type: "endingFailed" }
  | { readonly type: "outcomeChosen"; readonly outcome: CallOutcome }
  | { readonly type: "notesTyped"; readonly notes: string }
  | { readonly type: "planned"; readonly plan: Partial<LeadPlan> }
  | { readonly type: "saving" }
  | { readonly type: "saveFailed" }
  | { readonly type: "warned" }
  | { readonly type: "closed" };

export const idleCall: CallDialogState = {
  phase: "idle",
  open: false,
  lead: null,
  callId: null,
  callSid: null,
  call: null,
  acceptedAt: null,
  endedAt: null,
  clockOffset: 0,
  ending: false,
  outcome: null,
  chosen: false,
  notes: "",
  plan: noPlan,
  save: "none",
  warned: false,
  refusal: null,
};

/** Advances the dialog. Actions that do not fit the phase, and outdated events, change nothing. */
export function callDialogReducer(state: CallDialogState, action: CallDialogAction): CallDialogState {
  switch (action.type) {
    case "prepared":
      return state.phase === "idle" && !state.open ? { ...idleCall, open: true, lead: action.lead } : state;
    case "started": {
      const isAgain =
        state.lead?.id === action.lead.id && state.phase !== "connecting" && state.phase !== "live";
      if (state.phase !== "idle" && !isAgain) return state;
      // A retried call keeps the notes and plan of the failed one.
      const kept = isAgain ? { notes: state.notes, plan: state.plan } : {};
      return { ...idleCall, ...kept, phase: "connecting", open: true, lead: action.lead };
    }
    case "accepted":
      if (state.phase !== "connecting") return state;
      return {
        ...state,
        phase: "live",
        callId: action.callId,
        callSid: action.callSid,
        acceptedAt: action.at,
      };
    case "refused":
      if (state.phase !== "connecting") return state;
      return { ...state, phase: "idle", refusal: action.message };
    case "resumed":
      if (state.phase !== "idle") return state;
      return resumed(action.call, action.at);
    case "reported":
      return reported(state, action.call, action.at);
    case "ending":
      return state.phase === "live" ? { ...state, ending: true } : state;
    case "endingFailed":
      return { ...state, ending: false };
    case "outcomeChosen":
      return { ...state, outcome: action.outcome, chosen: true, warned: false };
    case "notesTyped":
      return { ...state, notes: action.notes };
    case "planned":
      return { ...state, plan: { ...state.plan, ...action.plan } };
    case "saving":
      return { ...state, save: "pending" };
    case "saveFailed":
      return { ...state, save: "failed" };
    case "warned":
      return { ...state, warned: true };
    case "closed":
      return idleCall;
  }
}

function resumed(call: Call, at: number): CallDialogState {
  const { leadId, leadName, leadCompany, leadPhone } = call;
  const live: CallDialogState = {
    ...idleCall,
    phase: "live",
    open: true,
    lead: { id: leadId, name: leadName, company: leadCompany, phone: leadPhone },
    callId: call.id,
    callSid: call.callSid,
    acceptedAt: at - Math.max(0, Date.parse(call.now) - Date.parse(call.requestedAt)),
  };
  return reported(live, call, at);
}

function reported(state: CallDialogState, call: Call, at: number): CallDialogState {
  if (state.callId !== call.id) return state;
  if (state.call && rank(call) < rank(state.call)) return state;
  const ended = call.state === "ended";
  // An outcome given by a key of the phone, or on another page, takes precedence over the suggested one.
  const suggestion = ended && !state.chosen ? (call.givenOutcome ?? suggestedOutcome(call)) : null;
  return {
    ...state,
    phase: ended ? "ended" : state.phase,
    call,
    callSid: call.callSid ?? state.callSid,
    clockOffset: Date.parse(call.now) - at,
    endedAt: ended ? (state.endedAt ?? endInstant(state, call, at)) : null,
    ending: state.ending && !ended,
    outcome: suggestion ?? state.outcome,
  };
}

/** The end on the browser's clock; a suspended page receives it late. */
function endInstant(state: CallDialogState, call: Call, at: number): number {
  const age = call.endedAt ? Date.parse(call.now) - Date.parse(call.endedAt) : 0;
  return Math.max(state.acceptedAt ?? at, at - Math.max(0, age));
}

function rank(call: Call): number {
  return callStates.indexOf(call.state);
}

/** The outcome suggested by the provider's result, or null if only the consultant can know. `not_connected` cannot be chosen by hand. */
export function suggestedOutcome(call: Pick<Call, "result" | "answeredBy">): SavedOutcome | null {
  switch (call.result) {
    case "answered":
      return call.answeredBy === null ? null : call.result;
    case "voicemail":
    case "busy":
    case "no_answer":
    case "disconnected":
    case "not_connected":
      return call.result;
    default:
      return null;
  }
}

/** Whether the lead's phone was answered and detection has no result yet. */
export function isChecking(call: Pick<Call, "state" | "result" | "answeredBy">): boolean {
  return call.answeredBy === null && (call.state === "in_progress" || call.result === "answered");
}

/** Whether nobody spoke with the lead, who can still be reached at that number. */
export const isUnreached = (outcome: SavedOutcome | null): boolean =>
  outcome === "no_answer" || outcome === "busy" || outcome === "voicemail";

/** Whether the call ended before the lead was rung: an attempt without a log. */
export function leadNeverRung(state: CallDialogState): boolean {
  return (
    state.call?.state === "ended" &&
    state.call.leadRingingAt === null &&
    !isChecking(state.call) &&
    suggestedOutcome(state.call) === null
  );
}

/** Seconds since the request was accepted; at least one for an ended call. */
export function timerSeconds(state: CallDialogState, now: number): number {
  if (state.acceptedAt === null) return 0;
  if (state.endedAt !== null) return Math.max(1, Math.ceil((state.endedAt - state.acceptedAt) / 1000));
  return Math.max(0, Math.floor((now - state.acceptedAt) / 1000));
}

/** Seconds since the lead answered, once it is known who did; after the end, the provider's measurement. Null if there are none. */
export function talkSeconds(call: Call | null, serverNow: number): number | null {
  if (!call) return null;
  if (call.state === "ended") return call.talkSeconds || null;
  if (call.answeredAt === null || call.answeredBy === null) return null;
  return Math.max(0, Math.floor((serverNow - Date.parse(call.answeredAt)) / 1000));
}

/** Whole seconds until the provider is asked, while the account's pace delays the call; otherwise 0. */
export function secondsUntilDialled(state: CallDialogState, now: number): number {
  const { call, clockOffset } = state;
  if (call?.state !== "requested" || call.dialsAt === null) return 0;
  return Math.max(0, Math.ceil((Date.parse(call.dialsAt) - (now + clockOffset)) / 1000));
}

/**
 * The recorded rule: closing saves a log only if the timer is above zero and an outcome is chosen; notes are also saved if the outcome was
 * given elsewhere. The provider's result is not a choice: closed with it alone, the call is listed under Needs outcome.
 */
export function savesOnClose(state: CallDialogState, now: number): boolean {
  const isGiven = state.call?.givenOutcome != null && state.notes.trim() !== "";
  return timerSeconds(state, now) > 0 && (state.chosen || isGiven) && !leadNeverRung(state);
}

/** Whether closing now would lose notes, as no log is saved. */
export function losesNotes(state: CallDialogState, now: number): boolean {
  return state.notes.trim() !== "" && state.acceptedAt !== null && !savesOnClose(state, now);
}

/** The lead's fields that a plan changes; null if none. */
export function planChange(plan: LeadPlan, lead: Lead | undefined) {
  if (!lead) return null;
  const change = {
    ...(plan.status !== null && plan.status !== lead.status && { status: plan.status }),
    ...followUpChange(plan.followUp, followUpOf(lead)),
  };
  return Object.keys(change).length > 0 ? change : null;
}
