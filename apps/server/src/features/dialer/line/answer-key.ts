import { type CallOutcome, callOutcomes } from "@portal/contract/entities/call";
import type { Tx } from "../../../platform/db/client.ts";
import type { Script, ScriptLanguage, Telephony } from "../../../ports/telephony.ts";
import { findCall } from "../../telephony/outbound/repository.ts";
import { confirmOutcome } from "../../telephony/outcomes/record-outcome.ts";
import { findLogOfCall } from "../session-repository.ts";
import { actorOf, stepSession } from "../step-session.ts";
import type { DialerContext } from "../types.ts";
import { saveWrapUp } from "../wrap-up.ts";
import { answerLine, type Happened, type LineQuestion } from "./answer-line.ts";
import { type CallBack, callBacks, followUpOf, type KeyRequest, readKey } from "./policy.ts";
import { findBrief, findLanguage, findLastGiven, type OnLine } from "./repository.ts";
import { words, writeBrief } from "./write-words.ts";

/** A key that was pressed on a line, and where the line stands. */
interface Pressed {
  context: DialerContext;
  tx: Tx;
  on: OnLine;
  language: ScriptLanguage;
}

/** Saves the outcome of the call in hand as the screen does; of one that has its outcome by now nothing changes. */
async function giveOutcome(
  { context, tx, on, language }: Pressed,
  callId: number,
  said: { outcome: CallOutcome; back: CallBack | null },
): Promise<Happened> {
  const { session } = on;
  const actor = await actorOf(tx, session.userId);
  if (!actor || session.phase !== "wrap_up" || session.callId !== callId) return { on };
  const followUp = said.back ? followUpOf(said.back, { now: new Date(), zone: context.orgTimeZone }) : {};
  const { row, after, outcomeKept } = await saveWrapUp(context, tx, session, {
    ...{ actor, callId, outcome: said.outcome, notes: null, seen: null, status: undefined },
    ...followUp,
  });
  const spoken = words[language].outcomes[outcomeKept ?? said.outcome];
  return { on: { ...on, session: row }, after, said: [spoken] };
}

/** The outcome that the provider suggests, where it is one that can be chosen. */
async function suggestedOf(tx: Tx, callId: number): Promise<CallOutcome | null> {
  const log = await findLogOfCall(tx, callId);
  return callOutcomes.find((outcome) => outcome === log?.outcome) ?? null;
}

/** Another outcome in the place of one that was given in this session. */
async function correct(
  { context, tx, on, language }: Pressed,
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
  return { on, said: [words[language].outcomes[outcome]] };
}

async function hearNext({ tx, on, language }: Pressed): Promise<Happened> {
  const { session } = on;
  const position = session.position + (session.phase === "wrap_up" ? 1 : 0);
  const facts = await findBrief(tx, { sessionId: session.id, position });
  const brief = facts && writeBrief(facts, { brief: "full", language, now: new Date() });
  return { on, said: [brief ?? words[language].nobody] };
}

async function askCorrection({ tx, on, language }: Pressed): Promise<Happened> {
  const last = await findLastGiven(
    tx,
    on.session.id,
    on.session.phase === "wrap_up" ? on.session.callId : null,
  );
  if (!last) return { on, said: [words[language].noLast] };
  const text = words[language];
  const given = text.outcomes[last.outcome];
  return { on, ask: { about: `fix-${last.callId}`, prompt: text.correct(last.name, given) } };
}

async function act(pressed: Pressed, key: KeyRequest): Promise<Happened> {
  const { context, tx, on, language } = pressed;
  const text = words[language];
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
      return hearNext(pressed);
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

/** A key was pressed, or none for a minute: the same acts as the screen's, judged by the session as it stands. */
export function answerKey(
  context: DialerContext,
  telephony: Telephony,
  question: LineQuestion & { about: string },
): Promise<Script> {
  const key = readKey(question.about, telephony.readDigits(question.params));
  return answerLine(context, telephony, question, async (tx, on) =>
    act({ context, tx, on, language: await findLanguage(tx, on.session.userId) }, key),
  );
}
