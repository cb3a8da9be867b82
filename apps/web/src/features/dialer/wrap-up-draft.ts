import { type CallOutcome, callOutcomes } from "@portal/contract/entities/call";
import { editableLeadStatuses } from "@portal/contract/entities/lead";
import { useCallback, useState } from "react";
import { readTabJson, writeTab } from "../../lib/storage-keys.ts";
import { type LeadPlan, noPlan } from "../telephony/call/call-state.ts";

/** What the consultant has said of a call so far, and what is to come of it. */
export interface WrapUpDraft extends LeadPlan {
  /** Null while only the provider's result speaks. */
  readonly outcome: CallOutcome | null;
  readonly notes: string;
}

const emptyDraft: WrapUpDraft = { ...noPlan, outcome: null, notes: "" };
const keyOf = (callId: number) => `lead-desk.wrap-up.${callId}`;

function readDraft(callId: number): WrapUpDraft {
  const stored = readTabJson<Partial<WrapUpDraft>>(keyOf(callId)) ?? {};
  return {
    outcome: callOutcomes.find((outcome) => outcome === stored.outcome) ?? null,
    notes: typeof stored.notes === "string" ? stored.notes : "",
    followUp: readFollowUp(stored.followUp),
    status: editableLeadStatuses.find((status) => status === stored.status) ?? null,
  };
}

/** One that an earlier version of the portal stored was the date alone. */
function readFollowUp(stored: unknown): WrapUpDraft["followUp"] {
  if (typeof stored === "string") return { date: stored, time: null, zone: null };
  return stored as WrapUpDraft["followUp"];
}

/** Forgets what was typed about a call that is wrapped up. */
export const dropDraft = (callId: number) => writeTab(keyOf(callId), null);

/** Whether something was said of a call that is not saved. */
export function hasTypedContent({ outcome, notes, followUp, status }: WrapUpDraft): boolean {
  return outcome !== null || notes.trim() !== "" || followUp !== undefined || status !== null;
}

/** What was said of a call and is not saved, as it stands in this tab. */
export const storedDraft = (callId: number): WrapUpDraft => readDraft(callId);

/** The draft of one call, kept in this tab: it outlives a closed overlay and a reload. Without a call it is empty. */
export function useWrapUpDraft(callId: number | null) {
  const [state, setState] = useState({ callId: null as number | null, draft: emptyDraft });
  const draft = state.callId === callId ? state.draft : draftOf(callId);
  const change = useCallback(
    (part: Partial<WrapUpDraft>) => {
      if (callId === null) return;
      setState((before) => {
        const next = { ...(before.callId === callId ? before.draft : draftOf(callId)), ...part };
        writeTab(keyOf(callId), JSON.stringify(next));
        return { callId, draft: next };
      });
    },
    [callId],
  );
  return { draft, change };
}

function draftOf(callId: number | null): WrapUpDraft {
  return callId === null ? emptyDraft : readDraft(callId);
}
