import type { Tx } from "../../../platform/db/client.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import {
  dialStatuses,
  type LegEvent,
  type ProviderLeg,
  type Script,
  type ScriptLanguage,
  type Telephony,
  type WebhookParams,
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

/** A provider's request for the next instruction (TwiML) for the consultant's leg. */
export interface ProviderQuestion {
  /** The call's id from the address; null where the leg's sid identifies the call. */
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

/** The facts to store, and the response to the provider. */
interface Next {
  facts: Partial<CallFacts>;
  script: Script;
  /** Why the call ends here, as a text for the consultant. */
  failure?: string;
}

/** Facts about a call and its lead when the consultant's leg asks for instructions. */
interface About extends ScriptFacts {
  /** Whether the lead's hours, or an administrator's reason, allow the call. */
  inHours: boolean;
}

/** The call of a request; undefined for an unknown call, and where the leg is not its consultant's. */
async function lockCallOf(
  tx: Tx,
  callId: number | null,
  repSid: string | undefined,
): Promise<CallRow | undefined> {
  if (!repSid) return undefined;
  const call = await lockCall(tx, callId === null ? { callSid: repSid } : { id: callId });
  return call && (call.callSid === null || call.callSid === repSid) ? call : undefined;
}

/** The lead's leg of a call that got a Dial before: one that the provider knows, `none`, or `unknown` if it cannot say. */
type LegBefore = ProviderLeg | "none" | "unknown";

/**
 * The provider repeats a request when our response was lost. The provider is asked whether the lead was rung meanwhile, so that nobody is
 * rung twice; if it cannot be asked, the lead is not rung.
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

/** `lockCallOf` for a request of the lead's leg, which may not name the consultant's leg: our id in the address identifies the call. */
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
    // The fallback address is shared by all legs: the leg of an open line continues where it was.
    if (line && line.state !== "ended") {
      const url = `${context.publicUrl}/api/twilio/line/answered?line=${line.id}${providerRetries}`;
      return telephony.lineScript({ language: "en", say: [], next: { kind: "ask", url, seconds: 0 } });
    }
    if (!call || !reported) return telephony.hangUp({ text: farewell.en, language: "en" });
    const number = { ...call, number: call.leadNumber };
    const inHours =
      call.overridden || (await isStillInHours(tx, { ...number, rules: context.contactPolicy }));
    const about = { ...(await findScriptFacts(tx, call)), inHours };
    const { facts, script, failure } = next(call, about);
    const over = call.state === "ended" || call.endRequestedAt !== null || !about.mayCall;
    // The reported facts are stored regardless of the response.
    await applyFacts(tx, call, over ? { repLeg: facts.repLeg ?? null } : facts, {
      callSid: reported.sid,
      ...(!over && failure && { failure }),
    });
    return over ? telephony.hangUp({ text: farewell[about.language], language: about.language }) : script;
  });
}

/** Dials the lead of a call, once. A call that is not recorded plays no recording notice. */
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
 * The consultant answered: asks them to press 1, or dials at once by their setting. A repeated request, after a lost response, continues
 * where the call stands.
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

/** The consultant pressed a key: 1 dials the lead, any other key repeats the question. */
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

/** Whether the lead answered while the call was live, so that a request from an ended call repeats an earlier one. */
function wasAnsweredBefore({ dialBridged, leadLeg, answeredAt, endedAt }: CallRow): boolean {
  if (dialBridged) return true;
  const isOver = dialStatuses.some((end) => end === leadLeg);
  return isOver && answeredAt !== null && endedAt !== null && answeredAt < endedAt;
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
      if (call && call.lineId !== null && !wasAnsweredBefore(call))
        await applyFacts(tx, call, { leadAlone: true }, sidsOf(call, reported));
      return telephony.hangUp();
    }
    await applyFacts(tx, call, { pressed: true, leadLeg: "in-progress" }, sidsOf(call, reported));
    if (!recorded) return telephony.acknowledge();
    const language = await findLeadLanguage(tx, call.leadId);
    return telephony.sayBefore(recordingNotice(context.noticeMarket, { language, number: call.leadNumber }));
  });
}

/** The lead's leg ended: stores how, and hangs up the consultant's leg. */
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
