import type { Tx } from "../../../platform/db/client.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import type {
  LegEvent,
  ProviderLeg,
  Script,
  ScriptLanguage,
  Telephony,
  WebhookParams,
} from "../../../ports/telephony.ts";
import { isStillInHours } from "../../contact-policy/service.ts";
import { recordingNotice } from "../policy.ts";
import { type CallsContext, providerRetries } from "../types.ts";
import { findLineOf } from "./line-repository.ts";
import type { CallFacts } from "./machine.ts";
import {
  type CallRow,
  findCallOf,
  findLeadLanguage,
  findScriptFacts,
  lockCall,
  mayBeLeadLeg,
  type ScriptFacts,
  sidsOf,
} from "./repository.ts";
import { callbackUrls } from "./service.ts";
import { applyFacts } from "./update-call.ts";

/** A request of the provider that waits for what to do next on the rep's phone. */
export interface ProviderQuestion {
  /** Our id from the address; null where the address has none and the leg identifies the call. */
  callId: number | null;
  params: WebhookParams;
}

const farewell: Record<ScriptLanguage, string> = {
  en: "This call is no longer needed. Goodbye.",
  es: "Esta llamada ya no es necesaria. Adiós.",
};

const cannotGoOn: Record<ScriptLanguage, string> = {
  en: "This call cannot go on. Please call again. Goodbye.",
  es: "Esta llamada no puede continuar. Vuelve a llamar. Adiós.",
};

const pastHours: Record<ScriptLanguage, string> = {
  en: "It is outside the lead's hours by now. Goodbye.",
  es: "Ya es fuera del horario del prospecto. Adiós.",
};

/** What is kept of an answer to the provider, and the answer. */
interface Next {
  facts: Partial<CallFacts>;
  script: Script;
  /** Why it goes no further, in words for the rep. */
  failure?: string;
}

/** What is known of a call and its lead when the rep's phone asks what to do. */
interface About extends ScriptFacts {
  /** It is within the lead's hours, or an administrator had a reason to call outside of them. */
  inHours: boolean;
}

/** The call that a request is about; undefined where it names none, or where another leg claims to be its rep's. */
async function lockCallOf(
  tx: Tx,
  callId: number | null,
  repSid: string | undefined,
): Promise<CallRow | undefined> {
  if (!repSid) return undefined;
  const call = await lockCall(tx, callId === null ? { callSid: repSid } : { id: callId });
  return call && (call.callSid === null || call.callSid === repSid) ? call : undefined;
}

/** The lead's leg of a call whose Dial was answered before: one that the provider knows, `none`, or `unknown` where it cannot say. */
type LegBefore = ProviderLeg | "none" | "unknown";

/**
 * A call is asked about anew where our answer was lost. Whether its lead was rung meanwhile the provider knows: nobody is rung twice, and
 * where it cannot be asked nobody is rung at all.
 */
async function findLegBefore(
  context: CallsContext,
  telephony: Telephony,
  { callId, params }: ProviderQuestion,
): Promise<LegBefore> {
  const repSid = telephony.readLegEvent(params)?.sid;
  if (!repSid) return "none";
  const call = await findCallOf(context.database.db, { callId, callSid: repSid });
  if (!call?.pressed || call.state === "ended") return "none";
  try {
    return (await telephony.findLeadLeg(repSid)) ?? "none";
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn(
      { callId: call.id, kind: error.kind },
      "provider could not be asked whether a lead was rung",
    );
    return "unknown";
  }
}

/** The same for a request of the lead's leg, which may not name the rep's: our id in the address identifies the call. */
async function lockCallOfLead(tx: Tx, callId: number | null, leg: LegEvent): Promise<CallRow | undefined> {
  const call = callId === null ? undefined : await lockCall(tx, { id: callId });
  if (call && (call.lineId !== null || !leg.parentSid)) return mayBeLeadLeg(call, leg.sid) ? call : undefined;
  return lockCallOf(tx, callId, leg.parentSid ?? undefined);
}

async function onRepsPhone(
  context: CallsContext,
  telephony: Telephony,
  { callId, params }: ProviderQuestion,
  next: (call: CallRow, about: About) => Next,
): Promise<Script> {
  const reported = telephony.readLegEvent(params);
  return context.database.transaction(async (tx) => {
    const call = await lockCallOf(tx, callId, reported?.sid);
    const line = !call && reported ? await findLineOf(tx, reported.sid) : undefined;
    // The fallback asks here for any leg: that of a line goes on where it stood.
    if (line && line.state !== "ended") {
      const url = `${context.publicUrl}/api/twilio/line/answered?line=${line.id}${providerRetries}`;
      return telephony.lineScript({ language: "en", say: [], next: { kind: "ask", url, seconds: 0 } });
    }
    if (!call || !reported) return telephony.hangUp({ text: farewell.en, language: "en" });
    const inHours = call.overridden || (await isStillInHours(tx, { ...call, rules: context.contactPolicy }));
    const about = { ...(await findScriptFacts(tx, call)), inHours };
    const { facts, script, failure } = next(call, about);
    const over = call.state === "ended" || call.endRequestedAt !== null || !about.mayCall;
    // The provider's word is kept, whatever we answer.
    await applyFacts(tx, call, over ? { repLeg: facts.repLeg ?? null } : facts, {
      callSid: reported.sid,
      ...(!over && failure && { failure }),
    });
    return over ? telephony.hangUp({ text: farewell[about.language], language: about.language }) : script;
  });
}

/** Dials the lead of a call, once; one that is not recorded has no notice of it either. */
function dialLead(
  context: CallsContext,
  telephony: Telephony,
  call: CallRow,
  { record, detect, untilBeep, language, inHours, before }: About & { before: LegBefore },
): Next {
  const known = call.leadLeg !== null || call.leadCallSid !== null || call.dialStatus !== null;
  if (known || typeof before === "object")
    return {
      facts: { repLeg: "in-progress", ...(typeof before === "object" && { leadLeg: before.status }) },
      script: telephony.hangUp(),
    };
  if (before === "unknown")
    return {
      facts: { repLeg: "in-progress" },
      script: telephony.hangUp({ text: cannotGoOn[language], language }),
    };
  if (!inHours)
    return {
      facts: { repLeg: "in-progress" },
      script: telephony.hangUp({ text: pastHours[language], language }),
      failure: "It is outside the lead's hours by now.",
    };
  const urls = callbackUrls(context.publicUrl, call.id);
  const notice = record ? urls.notice : urls.notice.replace("?call=", "?recorded=no&call=");
  return {
    facts: { repLeg: "in-progress", pressed: true, answeredBy: detect ? null : "unasked" },
    script: telephony.dialLead({ to: call.leadNumber, record, detect, untilBeep, urls: { ...urls, notice } }),
  };
}

/**
 * The rep answered: ask for 1, or dial at once where the rep's setting says so. Asked again, because an answer of ours was lost, the call
 * goes on where it stood.
 */
export async function answerRep(
  context: CallsContext,
  telephony: Telephony,
  question: ProviderQuestion,
): Promise<Script> {
  const before = await findLegBefore(context, telephony, question);
  return onRepsPhone(context, telephony, question, (call, about) => {
    if (call.pressed || !call.pressOne) return dialLead(context, telephony, call, { ...about, before });
    const { firstName, language } = about;
    const urls = callbackUrls(context.publicUrl, call.id);
    return {
      facts: { repLeg: "in-progress" },
      script: telephony.askToConfirm({ leadFirstName: firstName, language, urls }),
    };
  });
}

/** The rep pressed a key: 1 dials the lead; another is asked about once more. */
export async function answerKey(
  context: CallsContext,
  telephony: Telephony,
  question: ProviderQuestion & { again: boolean },
): Promise<Script> {
  const digits = telephony.readDigits(question.params);
  const before = digits === "1" ? await findLegBefore(context, telephony, question) : "none";
  return onRepsPhone(context, telephony, question, (call, about) => {
    if (digits === "1") return dialLead(context, telephony, call, { ...about, before });
    const { firstName, language } = about;
    const urls = callbackUrls(context.publicUrl, call.id);
    const again = { ...urls, confirm: urls.confirm.replace("?call=", "?again=1&call=") };
    return {
      facts: { repLeg: "in-progress" },
      script: question.again
        ? telephony.hangUp()
        : telephony.askToConfirm({ leadFirstName: firstName, language, urls: again }),
    };
  });
}

/** The lead answered: the recording notice is played where the call is recorded, then the two are connected. */
export async function answerNotice(
  context: CallsContext,
  telephony: Telephony,
  { callId, params, recorded }: ProviderQuestion & { recorded: boolean },
): Promise<Script> {
  const reported = telephony.readLegEvent(params);
  return context.database.transaction(async (tx) => {
    const call = reported && (await lockCallOfLead(tx, callId, reported));
    if (!call || call.state === "ended") {
      if (call && call.lineId !== null)
        await applyFacts(tx, call, { leadAlone: true }, sidsOf(call, reported));
      return telephony.hangUp();
    }
    await applyFacts(tx, call, { pressed: true, leadLeg: "in-progress" }, sidsOf(call, reported));
    if (!recorded) return telephony.acknowledge();
    const language = await findLeadLanguage(tx, call.leadId);
    return telephony.sayBefore(recordingNotice(context.noticeMarket, { language, number: call.leadNumber }));
  });
}

/** The lead's leg is over: keep how, and hang up the rep's. */
export async function answerDialEnd(
  context: CallsContext,
  telephony: Telephony,
  { callId, params }: ProviderQuestion,
): Promise<Script> {
  const reported = telephony.readDialEvent(params);
  await context.database.transaction(async (tx) => {
    const call = await lockCallOf(tx, callId, reported?.sid);
    if (!call || !reported) return;
    const { status: dialStatus, bridged: dialBridged, durationSeconds: dialDurationSeconds } = reported;
    await applyFacts(
      tx,
      call,
      { dialStatus, dialBridged, dialDurationSeconds },
      { callSid: reported.sid, leadCallSid: reported.leadSid },
    );
  });
  return telephony.hangUp();
}
