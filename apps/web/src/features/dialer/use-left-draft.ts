import type { DialerSession } from "@portal/contract/entities/dialer";
import { useState } from "react";
import {
  dropDraft,
  hasTypedContent,
  storedDraft,
  useWrapUpDraft,
  type WrapUpDraft,
} from "./wrap-up-draft.ts";

/** The call that was in hand, with what is needed to save what was said of it. */
type CallInHand = Pick<DialerSession, "call" | "lead" | "suggestedOutcome">;

/** What was typed about a call that the session has left: a key of the phone, or another page, gave its outcome meanwhile. */
export interface LeftDraft {
  callId: number;
  name: string;
  of: CallInHand;
  draft: WrapUpDraft;
  change: (part: Partial<WrapUpDraft>) => void;
  close: () => void;
}

/** Keeps what was typed in sight when the session goes on without it; null where nothing was. */
export function useLeftDraft(session: DialerSession): LeftDraft | null {
  const { call, lead, suggestedOutcome } = session;
  const inHand: CallInHand | null = call ? { call, lead, suggestedOutcome } : null;
  const [last, setLast] = useState<CallInHand | null>(inHand);
  const [left, setLeft] = useState<CallInHand | null>(null);
  if (call?.id !== last?.call?.id) {
    // An outcome alone is none to be kept: another was first.
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
