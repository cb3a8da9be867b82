import { type CallOutcome, callOutcomes } from "@portal/contract/entities/call";
import type { Tx } from "../../../platform/db/client.ts";
import { databaseNow } from "../../../platform/db/clock.ts";
import { publishEvent } from "../../../platform/realtime/publish.ts";
import type { Script, Telephony } from "../../../ports/telephony.ts";
import { findCall } from "../../telephony/outbound/repository.ts";
import { confirmOutcome } from "../../telephony/outcomes/record-outcome.ts";
import { findLogOfCall } from "../session-repository.ts";
import { actorOf, applyStep, stepSession } from "../step-session.ts";
import type { DialerContext } from "../types.ts";
import { saveWrapUp } from "../wrap-up.ts";
import { keySeconds } from "./answer-decision.ts";
import { answerLine, type Happened, type LineQuestion, noteBriefed } from "./answer-line.ts";
import { type CallBack, callBacks, followUpOf, type KeyRequest, readKey } from "./policy.ts";
import { findBrief, findLastGiven, type LockedLine } from "./repository.ts";
import { phrases, writeBrief } from "./write-phrases.ts";

/** A key pressed on a line, and the line's state. */
interface Pressed {
  context: DialerContext;
  tx: Tx;
  on: LockedLine;
}

/**
 * Saves the outcome of the session's or a manual call, as the screen does. An outcome that was given meanwhile stays. A repeated request,
 * after a lost response, hears its words again.
 */
async function giveOutcome(
  { context, tx, on }: Pressed,
  callId: number,
  said: { outcome: CallOutcome; back: CallBack | null },
): Promise<Happened> {
  const { session } = on;
  const actor = await actorOf(tx, session.userId);
  const isInHand = session.phase === "wrap_up" && session.callId === callId;
  const isByHand = on.asksOutcome && on.call?.id === callId;
  if (!actor) return { on };
  if (!(isInHand || isByHand)) {
    const known = await findLogOfCall(tx, callId);
    return known?.confirmed && known.outcome
      ? { on, said: [phrases[on.language].outcomes[known.outcome]] }
      : { on };
  }
  const followUp = said.back ? followUpOf(said.back, { now: new Date(), zone: context.orgTimeZone }) : {};
  const { row, after, outcomeKept } = await saveWrapUp(context, tx, session, {
    ...{ actor, callId, outcome: said.outcome, notes: null, seen: null, status: undefined },
    ...followUp,
  });
  const spoken = phrases[on.language].outcomes[outcomeKept ?? said.outcome];
  // The screen of a manual call listens to the call's events only.
  if (isByHand) await publishEvent(tx, { topic: "call", id: callId, audience: [actor.userId] });
  return {
    on: { ...on, session: row, asksOutcome: on.asksOutcome && !isByHand },
    after,
    said: [spoken],
  };
}

/** The provider's suggested outcome, if it can be chosen. */
async function suggestedOf(tx: Tx, callId: number): Promise<CallOutcome | null> {
  const log = await findLogOfCall(tx, callId);
  return callOutcomes.find((outcome) => outcome === log?.outcome) ?? null;
}

/** Replaces an outcome that was given earlier in this session. */
async function correct(
  { context, tx, on }: Pressed,
  callId: number,
  outcome: CallOutcome,
): Promise<Happened> {
  const actor = await actorOf(tx, on.session.userId);
  const call = await findCall(tx, callId);
  if (!actor || call?.userId !== actor.userId) return { on };
  await confirmOutcome(
    tx,
    { id: callId },
    {
      ...{ actor, leadId: call.leadId, outcome, notes: null, callType: "browser" },
      ...{ durationSeconds: call.durationSeconds ?? 0, callSid: call.callSid, clientRef: null },
      contactPolicy: context.contactPolicy,
    },
  );
  return { on, said: [phrases[on.language].outcomes[outcome]] };
}

/** Postpones dialing during a countdown by this many ms. */
async function holdCountdown({ tx, on }: Pressed, ms: number): Promise<LockedLine> {
  if (on.session.phase !== "countdown") return on;
  const { row } = await applyStep(tx, on.session, { type: "typing", now: databaseNow(), ms });
  return { ...on, session: row };
}

async function briefNext({ tx, on }: Pressed): Promise<Happened> {
  const { session, language } = on;
  const position = session.position + (session.phase === "wrap_up" ? 1 : 0);
  const facts = await findBrief(tx, { sessionId: session.id, position });
  const brief = facts && writeBrief(facts, { brief: "full", language, now: new Date() });
  return { on, said: [brief ?? phrases[language].nobody] };
}

async function askCorrection(pressed: Pressed): Promise<Happened> {
  const { tx, on } = pressed;
  const { session } = on;
  const last = await findLastGiven(tx, on, session.phase === "wrap_up" ? session.callId : null);
  const text = phrases[on.language];
  if (!last) return { on, said: [text.noLast] };
  const given = text.outcomes[last.outcome];
  // The next lead is not dialed while the consultant chooses the corrected outcome.
  await holdCountdown(pressed, keySeconds * 1_000);
  return { on, ask: { about: `fix-${last.callId}`, prompt: text.correct(last.name, given) } };
}

async function act(pressed: Pressed, key: KeyRequest): Promise<Happened> {
  const { context, tx, on } = pressed;
  const text = phrases[on.language];
  switch (key.kind) {
    case "none":
      return { on };
    case "wrong":
      return { on, said: [text.wrong] };
    case "outcome":
      return giveOutcome(pressed, key.callId, key);
    case "suggested": {
      const outcome = await suggestedOf(tx, key.callId);
      return outcome
        ? giveOutcome(pressed, key.callId, { outcome, back: null })
        : { on, said: [text.noSuggestion] };
    }
    case "ask_back":
      return { on, ask: { about: `back-${key.callId}`, prompt: text.when } };
    case "back": {
      const outcome = await suggestedOf(tx, key.callId);
      if (outcome) return giveOutcome(pressed, key.callId, { outcome, back: key.back });
      const about = `back-${key.callId}-${callBacks.indexOf(key.back) + 1}`;
      return { on, ask: { about, prompt: text.whichOutcome } };
    }
    case "brief":
      return briefNext(pressed);
    case "ask_correction":
      return askCorrection(pressed);
    case "correct":
      return correct(pressed, key.callId, key.outcome);
    case "pause": {
      const { row, after } = await stepSession(context, tx, on.session, {
        type: "pause",
        reason: "consultant",
      });
      return { on: { ...on, session: row }, after, said: row.phase === "wrap_up" ? [text.pausedHere] : [] };
    }
    case "go": {
      const { position, status } = on.session;
      const type = status === "paused" ? "resume" : "call_now";
      const { row, after } = await stepSession(context, tx, on.session, { type, position });
      return { on: { ...on, session: row }, after };
    }
  }
}

/** Handles a pressed key, or none within a minute, by the same commands as the screen. */
export function answerKey(
  context: DialerContext,
  telephony: Telephony,
  question: LineQuestion & { about: string },
): Promise<Script> {
  const { about } = question;
  const key = readKey(about, telephony.readDigits(question.params));
  const [, what, place] = /^(brief|count|fix)-(\d{1,10})/.exec(about) ?? [];
  return answerLine(context, telephony, question, async (tx, asked) => {
    const isCounting = asked.session.phase === "countdown";
    // The countdown has ended or was replaced.
    if ((what === "brief" || what === "count") && !isCounting) return { on: asked };
    const isBriefed = what === "brief" && (key.kind === "none" || key.kind === "brief");
    const on = isBriefed ? await noteBriefed(tx, asked, Number(place)) : asked;
    return act({ context, tx, on: what === "fix" ? await holdCountdown({ context, tx, on }, 0) : on }, key);
  });
}
