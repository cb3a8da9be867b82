import type { DialerSession } from "@portal/contract/entities/dialer";
import { useState } from "react";
import {
  dropDraft,
  hasTypedContent,
  storedDraft,
  useWrapUpDraft,
  type WrapUpDraft,
} from "./wrap-up-draft.ts";

/** The data of a call that saving its wrap-up needs. */
type CallInHand = Pick<DialerSession, "call" | "lead" | "suggestedOutcome">;

/** Typed text about a call that the session has left, because its outcome was given by a key of the phone or on another page. */
export interface LeftDraft {
  callId: number;
  name: string;
  of: CallInHand;
  draft: WrapUpDraft;
  change: (part: Partial<WrapUpDraft>) => void;
  close: () => void;
}

/** Keeps typed text on screen when the session continues without it; null if there is none. */
export function useLeftDraft(session: DialerSession): LeftDraft | null {
  const { call, lead, suggestedOutcome } = session;
  const inHand: CallInHand | null = call ? { call, lead, suggestedOutcome } : null;
  const [last, setLast] = useState<CallInHand | null>(inHand);
  const [left, setLeft] = useState<CallInHand | null>(null);
  if (call?.id !== last?.call?.id) {
    // A chosen outcome alone is not kept, as another was given first.
    if (last?.call && hasTypedContent({ ...storedDraft(last.call.id), outcome: null })) setLeft(last);
    setLast(inHand);
  } else if (inHand && last?.suggestedOutcome !== suggestedOutcome) {
    setLast(inHand);
  }
  const callId = left?.call?.id ?? null;
  const { draft, change } = useWrapUpDraft(callId);
  if (!left || callId === null || callId === call?.id) return null;
  const close = () => {
    dropDraft(callId);
    setLeft(null);
  };
  return { callId, name: left.call?.leadName ?? "", of: left, draft, change, close };
}
