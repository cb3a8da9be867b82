import { type CallOutcome, callOutcomes } from "@portal/contract/entities/call";
import { editableLeadStatuses } from "@portal/contract/entities/lead";
import { useCallback, useState } from "react";
import { readTabJson, writeTab } from "../../lib/storage-keys.ts";
import { type LeadPlan, noPlan } from "../telephony/call/call-state.ts";

/** The unsaved wrap-up of a call. */
export interface WrapUpDraft extends LeadPlan {
  /** Null until the consultant chooses one; the provider's result is only suggested. */
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

/** An earlier version of the portal stored the date only. */
function readFollowUp(stored: unknown): WrapUpDraft["followUp"] {
  if (typeof stored === "string") return { date: stored, time: null, zone: null };
  return stored as WrapUpDraft["followUp"];
}

/** Removes the draft of a call that is wrapped up. */
export const dropDraft = (callId: number) => writeTab(keyOf(callId), null);

/** Whether a draft has content. */
export function hasTypedContent({ outcome, notes, followUp, status }: WrapUpDraft): boolean {
  return outcome !== null || notes.trim() !== "" || followUp !== undefined || status !== null;
}

/** The stored draft of a call in this tab. */
export const storedDraft = (callId: number): WrapUpDraft => readDraft(callId);

/** The draft of a call, stored in this tab so that it survives a closed overlay and a reload. Empty without a call. */
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
