import type { DialerSession } from "@portal/contract/entities/dialer";
import { useEffect, useRef, useState } from "react";
import { followUpChange, followUpOf } from "../../../lib/follow-up.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { isUnreached } from "../../telephony/call/call-state.ts";
import { callDialogMessages } from "../../telephony/call/dialog-messages.ts";
import { LeadPlanFields } from "../../telephony/call/lead-brief.tsx";
import { LeaveMessage } from "../../telephony/voicemail-messages/leave-message.tsx";
import { dialerMessages, lineMessages } from "../messages.ts";
import { useSaveLeftDraft } from "../queries.ts";
import { useServerNow } from "../session-query.ts";
import { skipCountMessages } from "../setup-messages.ts";
import {
  dropDraft,
  hasTypedContent,
  storedDraft,
  useWrapUpDraft,
  type WrapUpDraft,
} from "../wrap-up-draft.ts";
import { LeadGroups } from "./lead-groups.tsx";
import { LeadInHand } from "./lead-in-hand.tsx";
import { LineCallers, LineStrip } from "./line-strip.tsx";
import { dialerProgress, ProgressView } from "./progress-view.tsx";
import { SessionActions } from "./session-actions.tsx";
import { SessionHeader } from "./session-header.tsx";
import { CallNotes, WrapUp } from "./wrap-up.tsx";

interface LiveSessionProps {
  session: DialerSession;
  clockOffset: number;
}

/** A live session: its progress, the current lead, and the buttons that apply now. */
export function LiveSession({ session, clockOffset }: LiveSessionProps) {
  const t = useMessages(dialerMessages);
  const call = useMessages(callDialogMessages);
  const panel = useRef<HTMLDivElement>(null);
  const { phase, position, status } = session;
  const runs = phase === "countdown" || phase === "calling";
  const now = useServerNow(clockOffset, runs);
  const callId = session.call?.id ?? null;
  const wrapsUp = phase === "wrap_up";
  const { draft, change } = useWrapUpDraft(callId);
  const left = useLeftDraft(session);
  const progress = dialerProgress({ session, serverNow: now }, t, call);
  useFocusKept(panel, `${position} ${phase}`);
  const isLeadSeen = useSettled(`${position} ${session.lead?.id}`);
  const dialling = phase === "checking" || phase === "calling";
  const isSeen = useSettled(`${position} ${session.lead?.id} ${status} ${dialling ? "dialling" : phase}`);
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label={t("title")}
      className="flex min-h-full scroll-mt-[calc(var(--chrome)+1rem)] flex-col gap-4 outline-none"
    >
      <SessionHeader session={session} />
      <LineStrip session={session} clockOffset={clockOffset} />
      <LineCallers session={session} callers={session.callers} />
      <ProgressView session={session} progress={progress} now={now} />
      {session.call ? <LeaveMessage call={session.call} /> : null}
      {wrapsUp ? null : <PassedOver session={session} />}
      {left ? <LeftHint left={left} /> : null}
      {left ? (
        <CallNotes
          key={`notes ${left.callId}`}
          notes={left.draft.notes}
          onChange={(notes) => left.change({ notes })}
        />
      ) : null}
      {left ? <LeftActions key={`left ${left.callId}`} session={session} left={left} /> : null}
      {/* The same field during the call and after it, so that the end of a call does not move the cursor. */}
      {callId !== null && (wrapsUp || session.step === "talking") ? (
        <CallNotes key={`notes ${callId}`} notes={draft.notes} onChange={(notes) => change({ notes })} />
      ) : null}
      {callId !== null && wrapsUp && session.lead ? (
        <LeadPlanFields
          key={`plan ${callId}`}
          lead={session.lead}
          plan={draft}
          disabled={false}
          onChange={change}
        />
      ) : null}
      <LeadInHand
        session={session}
        isMissed={wrapsUp && isUnreached(draft.outcome ?? session.suggestedOutcome)}
      />
      {callId !== null && wrapsUp ? (
        <WrapUp
          key={`wrap-up ${callId}`}
          session={session}
          callId={callId}
          draft={draft}
          onChange={change}
          panel={panel}
        />
      ) : (
        <SessionActions session={session} panel={panel} isLeadSeen={isLeadSeen} isSeen={isSeen} />
      )}
    </section>
  );
}

/** The leads skipped before this one, with reasons. */
function PassedOver({ session }: { session: DialerSession }) {
  const t = useMessages(dialerMessages);
  const counted = useMessages(skipCountMessages);
  if (session.passedOver.length === 0) return null;
  return (
    <section aria-label={t("passedOver")} className="grid gap-2">
      <h3 className="text-muted-foreground text-sm">{t("passedOver")}</h3>
      <LeadGroups
        groups={session.passedOver.map(({ reason, count, leads }) => ({
          key: reason,
          label: counted(reason, { count }),
          count,
          leads,
        }))}
      />
    </section>
  );
}

/** When a focused button disappears with its phase, the panel gets the focus, as it handles the keys. */
function useFocusKept(panel: { current: HTMLElement | null }, moment: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever the moment changes.
  useEffect(() => {
    const { activeElement } = document;
    const lost = activeElement === null || activeElement === document.body;
    if (lost || activeElement?.matches("[data-dialog], [data-dock]"))
      panel.current?.focus({ preventScroll: true });
  }, [moment]);
}

const settleMs = 500;

/** Whether the session's current moment has lasted long enough to be seen, so that a double click does not act on what follows. */
function useSettled(moment: string): boolean {
  const [settled, setSettled] = useState(moment);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(moment), settleMs);
    return () => clearTimeout(timer);
  }, [moment]);
  return settled === moment;
}

/** The call that the notes below are about. */
function LeftHint({ left }: { left: LeftDraft }) {
  const t = useMessages(lineMessages);
  return (
    <div
      role="status"
      className="grid gap-0.5 rounded-xl bg-warning-soft px-3 py-2 text-sm text-warning-text"
    >
      <p className="font-medium">{t("leftNotes", { name: left.name })}</p>
      <p>{t("leftHint")}</p>
    </div>
  );
}

/** Saves the notes with the call, whose outcome stays, or discards them. */
function LeftActions({ session, left }: { session: DialerSession; left: LeftDraft }) {
  const t = useMessages(lineMessages);
  const save = useSaveLeftDraft(session.id);
  const { callId, of, draft, close } = left;
  const onSave = () => {
    const status = draft.status !== null && draft.status !== of.lead?.status ? draft.status : undefined;
    const followUp = followUpChange(draft.followUp, of.lead && followUpOf(of.lead));
    // The first outcome given is kept; this one only counts if there is none after all.
    const outcome = draft.outcome ?? of.suggestedOutcome ?? "answered";
    const notes = draft.notes.trim() || null;
    save.mutate({ callId, outcome, notes, ...(status && { status }), ...followUp }, { onSuccess: close });
  };
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" pending={save.isPending} onClick={onSave}>
        {t("saveNotes")}
      </Button>
      <Button size="sm" variant="secondary" onClick={close}>
        {t("discardNotes")}
      </Button>
    </div>
  );
}

/** The data of a call that saving its wrap-up needs. */
type CallInHand = Pick<DialerSession, "call" | "lead" | "suggestedOutcome">;

/** Typed text about a call that the session has left, because its outcome was given by a key of the phone or on another page. */
interface LeftDraft {
  callId: number;
  name: string;
  of: CallInHand;
  draft: WrapUpDraft;
  change: (part: Partial<WrapUpDraft>) => void;
  close: () => void;
}

/** Keeps typed text on screen when the session continues without it; null if there is none. */
function useLeftDraft(session: DialerSession): LeftDraft | null {
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
