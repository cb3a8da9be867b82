import type { DialerSession } from "@portal/contract/entities/dialer";
import { useEffect, useRef } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { callDialogTexts } from "../../call-dialog/dialog-texts.ts";
import { dialerStage } from "../stage.ts";
import { dialerTexts } from "../texts.ts";
import { useServerNow } from "../use-server-now.ts";
import { useSettled } from "../use-settled.ts";
import { useWrapUpDraft } from "../wrap-up-draft.ts";
import { FollowUpPicker } from "./follow-up-picker.tsx";
import { LeadInHand } from "./lead-in-hand.tsx";
import { SessionActions } from "./session-actions.tsx";
import { SessionHeader } from "./session-header.tsx";
import { StageView } from "./stage-view.tsx";
import { CallNotes, WrapUp } from "./wrap-up.tsx";

interface LiveSessionProps {
  session: DialerSession;
  clockOffset: number;
}

/** A session under way: what happens now, with whom, how far, and the buttons of this moment at the bottom. */
export function LiveSession({ session, clockOffset }: LiveSessionProps) {
  const t = useTexts(dialerTexts);
  const call = useTexts(callDialogTexts);
  const panel = useRef<HTMLDivElement>(null);
  const { phase, position } = session;
  const runs = phase === "countdown" || phase === "calling";
  const now = useServerNow(clockOffset, runs);
  const callId = session.call?.id ?? null;
  const wrapsUp = phase === "wrap_up";
  const { draft, change } = useWrapUpDraft(callId);
  const stage = dialerStage({ session, serverNow: now }, t, call);
  const moment = `${position} ${phase}`;
  useFocusKept(panel, moment);
  const isSettled = useSettled(moment);
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label={t("title")}
      className="flex min-h-full scroll-mt-[calc(var(--chrome)+1rem)] flex-col gap-4 outline-none"
    >
      <SessionHeader session={session} />
      <StageView session={session} stage={stage} now={now} />
      {/* One and the same field in the call and after it: the end of a call takes no cursor away. */}
      {callId !== null && (wrapsUp || session.step === "talking") ? (
        <CallNotes key={`notes ${callId}`} notes={draft.notes} onChange={(notes) => change({ notes })} />
      ) : null}
      {callId !== null && wrapsUp ? (
        <FollowUpPicker
          key={`follow-up ${callId}`}
          value={draft.followUp}
          current={session.lead?.nextFollowUpDate ?? null}
          onChange={(followUp) => change({ followUp })}
        />
      ) : null}
      <LeadInHand session={session} />
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
        <SessionActions session={session} panel={panel} isSettled={isSettled} />
      )}
    </section>
  );
}

/** A button that leaves with its phase takes the focus along: the panel gets it, where the keys are heard. */
function useFocusKept(panel: { current: HTMLElement | null }, moment: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at whenever the moment changes.
  useEffect(() => {
    const { activeElement } = document;
    const lost = activeElement === null || activeElement === document.body;
    if (lost || activeElement?.matches("[data-dialog]")) panel.current?.focus({ preventScroll: true });
  }, [moment]);
}
