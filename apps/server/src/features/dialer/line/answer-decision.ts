import type { Tx } from "../../../platform/db/client.ts";
import { databaseNow } from "../../../platform/db/clock.ts";
import type { LineTask, Script, ScriptLanguage, Telephony } from "../../../ports/telephony.ts";
import { updateLine } from "../../telephony/outbound/line-repository.ts";
import { type CallRow, findScriptFacts, lockCall, updateCall } from "../../telephony/outbound/repository.ts";
import { callbackUrls } from "../../telephony/outbound/service.ts";
import { applyFacts } from "../../telephony/outbound/update-call.ts";
import { applyStep } from "../step-session.ts";
import type { DialerContext } from "../types.ts";
import { lineUrls } from "./move-line.ts";
import { keySecondsBefore, type LineDecision } from "./policy.ts";
import { findBrief, isFirstOnLine, type LockedLine, type OnLine } from "./repository.ts";
import { phrases, writeBrief } from "./write-phrases.ts";

/** Seconds that a line waits for a key before it asks for instructions again. */
export const keySeconds = 60;

/** How a request is answered: by a script, or after work outside of the transaction. */
export type Reply =
  | { kind: "script"; script: Script }
  | { kind: "hold"; sessionId: number; dueAt: number | null; seen: number }
  | { kind: "dial"; sessionId: number; position: number; language: ScriptLanguage }
  | { kind: "named"; call: CallRow; lineSid: string | null };

const detectedBy = (detect: boolean) => (detect ? null : ("unasked" as const));

export type Dialling = Pick<Extract<LineTask, { kind: "dial" }>, "record" | "detect" | "untilBeep">;

/** Records that this response dials the call's lead, and reads what the Dial needs. */
export async function nameLead(tx: Tx, callId: number): Promise<{ call: CallRow } & Dialling> {
  const call = await lockCall(tx, { id: callId });
  if (!call) throw new Error(`no call ${callId}`);
  const { record, detect, untilBeep } = await findScriptFacts(tx, call);
  const { row } = await updateCall(tx, call, { askedAt: call.askedAt ?? new Date(databaseNow()) });
  const named = await applyFacts(tx, row, {
    repLeg: "in-progress",
    pressed: true,
    answeredBy: detectedBy(detect),
  });
  return { call: named, record, detect, untilBeep };
}

/** Builds the scripts for one line. */
export function createAnswers(context: DialerContext, telephony: Telephony, lineId: number) {
  const urls = lineUrls(context.calls.publicUrl, lineId);
  const say = (language: ScriptLanguage, said: string[], then: LineTask) =>
    telephony.lineScript({ language, say: said.filter(Boolean), next: then });
  return {
    urls,
    say,
    again: (seconds = 0) => say("en", [], { kind: "ask", url: urls.next, seconds }),
    dial(call: CallRow, { record, detect, untilBeep }: Dialling, language: ScriptLanguage) {
      const own = callbackUrls(context.calls.publicUrl, call.id);
      const notice = record ? own.notice : own.notice.replace("?call=", "?recorded=no&call=");
      return say(language, [], {
        kind: "dial",
        ...{ to: call.leadNumber, record, detect, untilBeep },
        urls: { ...own, notice, dialDone: urls.done(call.id) },
      });
    },
  };
}

export type Answers = ReturnType<typeof createAnswers>;

/** When the next lead will be called, in ms; null outside of a countdown. */
const dueAtOf = ({ phase, dueAt, typingUntil }: OnLine["session"]) =>
  phase === "countdown" && dueAt ? Math.max(dueAt.getTime(), typingUntil?.getTime() ?? 0) : null;

/** Updates the line's step for a decision and builds the response. */
export async function answerDecision(
  tx: Tx,
  answers: Answers,
  { on, decision, said }: { on: LockedLine; decision: LineDecision; said: string[] },
): Promise<{ reply: Reply; version: number }> {
  const { session, line, language } = on;
  const text = phrases[language];
  const script = (then: LineTask, ...more: string[]) => ({
    kind: "script" as const,
    script: answers.say(language, [...said, ...more], then),
  });
  const update = async (patch: Parameters<typeof updateLine>[2], reply: Reply) => ({
    reply,
    version: (await updateLine(tx, line.id, patch)).version,
  });
  const work = { lastWorkAt: new Date(databaseNow()), stepPosition: session.position };
  switch (decision.kind) {
    case "bye": {
      const farewell =
        decision.reason === "idle"
          ? text.idle
          : decision.reason === "time_limit"
            ? text.timeLimit
            : session.status === "completed"
              ? text.through
              : text.stopped;
      const endReason = line.endReason ?? decision.reason;
      const endRequestedAt = line.endRequestedAt ?? new Date(databaseNow());
      return update({ endReason, endRequestedAt }, script({ kind: "hang_up" }, farewell));
    }
    case "brief": {
      const facts = await findBrief(tx, { sessionId: session.id, position: decision.position });
      const brief = facts
        ? writeBrief(facts, { brief: session.brief, language, now: new Date(databaseNow()) })
        : "";
      // Collecting keys takes another second, which must fit into the countdown.
      const hasKeys =
        keySecondsBefore(dueAtOf(session), { said: [...said, brief], now: databaseNow() }) !== null;
      const about = `brief-${decision.position}`;
      const then: LineTask = hasKeys
        ? { kind: "key", url: answers.urls.key(about), seconds: 1, tone: false }
        : { kind: "ask", url: answers.urls.said(decision.position), seconds: 0 };
      return update({ ...work, step: "brief" }, script(then, brief));
    }
    case "hold": {
      const dueAt = dueAtOf(session);
      const seconds = keySecondsBefore(dueAt, { said, now: databaseNow() });
      if (seconds !== null) {
        const url = answers.urls.key(`count-${session.position}`);
        return update(
          { step: "keys", stepPosition: session.position },
          script({ kind: "key", url, seconds: Math.min(seconds, keySeconds), tone: false }),
        );
      }
      if (said.length > 0)
        return update({ step: "countdown" }, script({ kind: "ask", url: answers.urls.next, seconds: 0 }));
      return update(
        { step: "countdown", stepPosition: session.position },
        { kind: "hold", sessionId: session.id, dueAt, seen: session.version },
      );
    }
    case "dial":
      if (said.length > 0)
        return update({ step: "countdown" }, script({ kind: "ask", url: answers.urls.next, seconds: 0 }));
      return {
        reply: { kind: "dial", sessionId: session.id, position: decision.position, language },
        version: line.version,
      };
    case "join": {
      // A manual call during a countdown pauses the session.
      if (session.phase === "countdown" || session.phase === "checking")
        await applyStep(tx, session, { type: "pause", reason: "rep_on_call" });
      const named = await nameLead(tx, decision.callId);
      const reply = { kind: "script", script: answers.dial(named.call, named, language) } as const;
      return update({ ...work, step: "dial", callId: decision.callId }, reply);
    }
    case "named": {
      const call = on.call;
      if (!call) throw new Error(`no call ${decision.callId}`);
      return { reply: { kind: "named", call, lineSid: line.callSid }, version: line.version };
    }
    case "wrap_up":
    case "waiting": {
      const isWrapUp = decision.kind === "wrap_up";
      const callId = isWrapUp ? decision.callId : line.callId;
      const isNew = line.step !== decision.kind || line.callId !== callId;
      const pause = session.status === "paused" ? text.paused : text.ready;
      const explains = isWrapUp && isNew && (await isFirstOnLine(tx, session.id, decision.callId));
      const prompt = explains ? text.explained : isNew && !isWrapUp ? pause : "";
      const about = isWrapUp ? `call-${decision.callId}` : "waiting";
      return update(
        { step: decision.kind, stepPosition: session.position, callId },
        script(
          {
            kind: "key",
            url: answers.urls.key(about),
            seconds: keySeconds,
            tone: isNew && isWrapUp && !explains,
          },
          prompt,
        ),
      );
    }
  }
}
