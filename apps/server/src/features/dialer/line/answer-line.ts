import type { Tx } from "../../../platform/db/client.ts";
import { databaseNow } from "../../../platform/db/clock.ts";
import { waitForEvent } from "../../../platform/realtime/listener.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import type { Script, ScriptLanguage, Telephony, WebhookParams } from "../../../ports/telephony.ts";
import { knownSids, updateLine } from "../../telephony/outbound/line-repository.ts";
import { writeCall } from "../../telephony/outbound/make-call.ts";
import { findScriptFacts, lockCall, sidsOf } from "../../telephony/outbound/repository.ts";
import { applyFacts } from "../../telephony/outbound/update-call.ts";
import { CallRefused, notifySession, requestLead, runAfterSteps } from "../dial-lead.ts";
import { findSession } from "../session-repository.ts";
import { type AfterStep, stepByCall } from "../step-session.ts";
import type { DialerContext } from "../types.ts";
import {
  type Answers,
  answerDecision,
  createAnswers,
  keySeconds,
  nameLead,
  type Reply,
} from "./answer-decision.ts";
import { callFactsOf, lineFactsOf, sessionFactsOf } from "./move-line.ts";
import { decideLine, lineTimings } from "./policy.ts";
import { type LockedLine, lockOnLine } from "./repository.ts";
import { laterState, openLine } from "./update-line.ts";
import { phrases } from "./write-phrases.ts";

/** A request of the consultant's leg for its next instruction. */
export interface LineQuestion {
  lineId: number | null;
  params: WebhookParams;
}

/** Seconds in which 1 can be pressed. */
const askSeconds = 6;

interface Asked {
  reply: Reply;
  /** Version of the line for which this request decides; a later request of the leg supersedes it. */
  version: number;
  after: AfterStep[];
  sessionId: number;
}

/** Locks the line of a request, if the request comes from the line's own leg. */
async function lockAsked(
  tx: Tx,
  telephony: Telephony,
  { lineId, params }: LineQuestion,
): Promise<LockedLine | null> {
  const reported = telephony.readLegEvent(params);
  const on = lineId === null || !reported ? undefined : await lockOnLine(tx, lineId);
  const sid = reported?.sid ?? null;
  if (!on || sid === null || (on.line.callSid !== null && on.line.callSid !== sid)) return null;
  const state = laterState(on.line.state, "confirming");
  const line = await updateLine(tx, on.line.id, {
    callSid: sid,
    lastEventAt: new Date(databaseNow()),
    state,
  });
  return { ...on, line };
}

/** The last script for a leg without a live line. */
const goodbye = (telephony: Telephony, language: ScriptLanguage = "en") =>
  telephony.hangUp({ text: phrases[language].ended, language });

/** What a request reported: text to say first, and another key to ask for before anything else. */
export interface Happened {
  on: LockedLine;
  after?: AfterStep[];
  said?: string[];
  ask?: { about: string; prompt: string };
}

type Before = (tx: Tx, on: LockedLine) => Promise<Happened>;

/**
 * Answers the consultant's leg with its next instruction, by the session's state. During a countdown without anything to say the request is
 * held. A lead is dialed in the transaction that checks the contact policy.
 */
export async function answerLine(
  context: DialerContext,
  telephony: Telephony,
  question: LineQuestion,
  before: Before = async (_tx, on) => ({ on }),
): Promise<Script> {
  const { lineId } = question;
  if (lineId === null) return goodbye(telephony);
  const answers = createAnswers(context, telephony, lineId);
  const until = performance.now() + lineTimings.holdMs;
  const first = await context.database.transaction(
    async (tx): Promise<Asked | { over: ScriptLanguage | undefined }> => {
      const asked = await lockAsked(tx, telephony, question);
      if (!asked || asked.line.state === "ended") return { over: asked?.language };
      const { on, after = [], said = [], ask } = await before(tx, asked);
      if (ask) {
        const then = {
          kind: "key",
          url: answers.urls.key(ask.about),
          seconds: keySeconds,
          tone: false,
        } as const;
        const script = answers.say(on.language, [...said, ask.prompt], then);
        // A consultant who is asked for another key is not idle.
        const { version } = await updateLine(tx, on.line.id, { lastWorkAt: new Date(databaseNow()) });
        return { reply: { kind: "script", script }, version, after, sessionId: on.session.id };
      }
      const decision = decideLine(sessionFactsOf(on.session), lineFactsOf(on.line), callFactsOf(on));
      const taken = await answerDecision(tx, answers, { on, decision, said });
      return { ...taken, after, sessionId: on.session.id };
    },
  );
  if ("over" in first) return goodbye(telephony, first.over);
  runAfterSteps(context, first.sessionId, first.after);

  let { reply, version } = first;
  for (;;) {
    if (reply.kind === "script") return reply.script;
    if (reply.kind === "named") {
      const script = await answerNamed(context, telephony, { answers, reply, version });
      if (script) return script;
    }
    if (reply.kind === "dial") {
      const script = await nameNext(context, { answers, lineId, reply, version });
      if (script) return script;
    }
    if (reply.kind === "hold") await holdRequest(context, reply, until);
    if (performance.now() >= until) return answers.again();
    const next = await askAgain(context, answers, { lineId, version });
    if (!next) return answers.again();
    ({ reply, version } = next);
  }
}

/** Decides again; null if a later request of the leg superseded this one. */
async function askAgain(
  context: DialerContext,
  answers: Answers,
  { lineId, version }: { lineId: number; version: number },
): Promise<{ reply: Reply; version: number } | null> {
  return context.database.transaction(async (tx) => {
    const on = await lockOnLine(tx, lineId);
    if (!on || on.line.version !== version || on.line.state === "ended") return null;
    const decision = decideLine(sessionFactsOf(on.session), lineFactsOf(on.line), callFactsOf(on));
    return answerDecision(tx, answers, { on, decision, said: [] });
  });
}

/** Waits until the session changes, its countdown ends, or the maximum holding time is over, at `until` by `performance.now()`. */
async function holdRequest(
  context: DialerContext,
  { sessionId, dueAt, seen }: Extract<Reply, { kind: "hold" }>,
  until: number,
): Promise<void> {
  const countdownMs = dueAt === null ? Number.POSITIVE_INFINITY : dueAt - databaseNow();
  const waitMs = Math.max(0, Math.min(until - performance.now(), countdownMs));
  const changed = await waitForEvent({
    events: context.events,
    concerns: ({ topic, id }) => topic === "dialer" && id === sessionId,
    timeoutMs: waitMs,
    look: async () => {
      const session = await findSession(context.database.db, sessionId);
      return session?.version === seen ? null : true;
    },
  });
  if (changed === null && dueAt !== null && databaseNow() >= dueAt)
    await notifySession(context, sessionId, { type: "tick", now: databaseNow() });
}

/** Dials the session's next lead, in the transaction that checks the contact policy; null if none is to be dialed. */
async function nameNext(
  context: DialerContext,
  {
    answers,
    lineId,
    reply: { sessionId, position, language },
    version,
  }: { answers: Answers; lineId: number; reply: Extract<Reply, { kind: "dial" }>; version: number },
): Promise<Script | null> {
  let script: Script | null = null;
  await requestLead(
    context,
    { sessionId, position },
    {
      claim: async (tx) => {
        const on = await lockOnLine(tx, lineId);
        if (on?.line.version !== version || on.line.state !== "open") throw new CallRefused(null);
      },
      requested: async (tx, callId) => {
        const named = await nameLead(tx, callId);
        const step = {
          step: "dial",
          stepPosition: position,
          callId,
          lastWorkAt: new Date(databaseNow()),
        } as const;
        await updateLine(tx, lineId, step);
        script = named.call.lineId === lineId ? answers.dial(named.call, named, language) : null;
      },
      write: async (request) => {
        await writeCall(context.calls, { ...request, asks: { lineId } });
      },
    },
  );
  return script;
}

/**
 * The leg asks again although a lead was to be dialed: our response was lost, or the Dial has ended. The provider knows whether it dialed.
 */
async function answerNamed(
  context: DialerContext,
  telephony: Telephony,
  {
    answers,
    reply,
    version,
  }: { answers: Answers; reply: Extract<Reply, { kind: "named" }>; version: number },
): Promise<Script | null> {
  const { call, lineSid } = reply;
  const since = call.askedAt ?? call.requestedAt;
  try {
    const legs = lineSid
      ? await telephony.findDialledLegs({ parentSid: lineSid, to: call.leadNumber, since })
      : [];
    const result = await context.database.transaction(async (tx) => {
      const on = await lockOnLine(tx, call.lineId ?? 0);
      if (!on?.call || on.call.id !== call.id || on.line.version !== version)
        return { script: answers.again() };
      const held = on.call;
      const others = await knownSids(
        tx,
        legs.map(({ sid }) => sid),
      );
      // A leg with the call's stored sid is its own even if it is only stored now: its callback may have arrived while the provider was
      // being asked.
      const leg =
        legs.find(({ sid }) => sid === held.leadCallSid) ?? legs.find(({ sid }) => !others.has(sid));
      const isRung = held.leadCallSid !== null || held.leadLeg !== null || held.dialStatus !== null;
      if (leg || isRung) {
        const kept = leg
          ? await applyFacts(
              tx,
              held,
              {
                leadLeg: leg.status,
                answeredBy: leg.answeredBy,
                leadLegDurationSeconds: leg.durationSeconds,
              },
              { ...sidsOf(held, leg), at: leg.at },
            )
          : held;
        if (kept.state !== "ended") return { script: answers.again(1) };
        return on.session.callId === call.id
          ? { after: (await stepByCall(context, tx, on.session, call.id)).after }
          : {};
      }
      const about = await findScriptFacts(tx, held);
      if (!about.mayCall || held.endRequestedAt) {
        await applyFacts(tx, held, { dialStatus: "never", answeredBy: "unknown" });
        return on.session.callId === call.id
          ? { after: (await stepByCall(context, tx, on.session, call.id)).after }
          : {};
      }
      return { script: answers.dial(held, about, about.language) };
    });
    return "script" in result && result.script ? result.script : null;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn(
      { callId: call.id, kind: error.kind },
      "provider could not be asked whether a lead was rung",
    );
    // The lead is not rung while it is unknown whether they were rung.
    return answers.again(2);
  }
}

/** The consultant answered: asks for 1, twice. A repeated request, after a lost response, continues where the line is. */
export async function answerRing(
  context: DialerContext,
  telephony: Telephony,
  question: LineQuestion & { again: boolean },
): Promise<Script> {
  const { lineId, again } = question;
  const known = await context.database.transaction(async (tx) => {
    const on = await lockAsked(tx, telephony, question);
    return on && { state: on.line.state, language: on.language };
  });
  if (!known || lineId === null || known.state === "ended") return goodbye(telephony, known?.language);
  if (known.state === "open") return answerLine(context, telephony, question);
  const answers = createAnswers(context, telephony, lineId);
  const url = answers.urls.confirm(again);
  return answers.say(known.language, [phrases[known.language].ask], {
    kind: "key",
    url,
    seconds: askSeconds,
    tone: false,
  });
}

/** A key was pressed when 1 was asked for: 1 opens the line. */
export async function answerConfirm(
  context: DialerContext,
  telephony: Telephony,
  question: LineQuestion & { again: boolean },
): Promise<Script> {
  if (telephony.readDigits(question.params) !== "1") {
    if (!question.again) return answerRing(context, telephony, { ...question, again: true });
    const on = await context.database.transaction((tx) => lockAsked(tx, telephony, question));
    const language = on?.language ?? "en";
    return telephony.hangUp({ text: phrases[language].nothing, language });
  }
  return answerLine(context, telephony, question, async (tx, on) => {
    if (on.line.state === "open") return { on };
    const { after, ...opened } = await openLine(context, tx, on);
    const left = on.session.total - on.session.position;
    return { on: { ...on, ...opened }, after, said: [phrases[on.language].waiting(left)] };
  });
}

/** Stores that the brief of the current lead was spoken. */
export async function noteBriefed(tx: Tx, on: LockedLine, position: number): Promise<LockedLine> {
  if (position !== on.session.position) return on;
  return { ...on, line: await updateLine(tx, on.line.id, { briefedPosition: position }) };
}

/** Continues after a brief. */
export function answerNext(
  context: DialerContext,
  telephony: Telephony,
  question: LineQuestion & { said: number | null },
): Promise<Script> {
  const { said } = question;
  return answerLine(context, telephony, question, async (tx, on) => ({
    on: said === null ? on : await noteBriefed(tx, on, said),
  }));
}

/** The lead's part ended: stores how, and continues with the line. */
export function answerDone(
  context: DialerContext,
  telephony: Telephony,
  question: LineQuestion & { callId: number | null },
): Promise<Script> {
  const reported = telephony.readDialEvent(question.params);
  return answerLine(context, telephony, question, async (tx, on) => {
    const known = question.callId === null ? undefined : await lockCall(tx, { id: question.callId });
    if (!known || !reported || known.lineId !== on.line.id) return { on };
    const { status: dialStatus, bridged: dialBridged, durationSeconds: dialDurationSeconds } = reported;
    const sids = sidsOf(known, { sid: reported.leadSid, parentSid: null });
    await applyFacts(tx, known, { dialStatus, dialBridged, dialDurationSeconds }, sids);
    await updateLine(tx, on.line.id, { lastWorkAt: new Date(databaseNow()) });
    const newest = (await lockOnLine(tx, on.line.id)) ?? on;
    if (on.session.callId !== known.id) return { on: newest };
    const { row, after } = await stepByCall(context, tx, on.session, known.id);
    return { on: { ...newest, session: row }, after };
  });
}
