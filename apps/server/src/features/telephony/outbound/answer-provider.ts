import type { Tx } from "../../../platform/db/client.ts";
import type { Script, ScriptLanguage, Telephony, WebhookParams } from "../../../ports/telephony.ts";
import { recordingNotice } from "../recordings/policy.ts";
import type { CallsContext } from "../types.ts";
import type { CallFacts } from "./machine.ts";
import { type CallRow, findLeadLanguage, findScriptFacts, lockCall, type ScriptFacts } from "./repository.ts";
import { callbackUrls } from "./service.ts";
import { applyFacts } from "./update-call.ts";

/** A request of the provider that waits for what to do next on the rep's phone. */
export interface ProviderQuestion {
  callId: number;
  params: WebhookParams;
}

const farewell: Record<ScriptLanguage, string> = {
  en: "This call is no longer needed. Goodbye.",
  es: "Esta llamada ya no es necesaria. Adiós.",
};

/** The call that a request is about; undefined where it names none, or where another leg claims to be its rep's. */
async function lockCallOf(tx: Tx, callId: number, repSid: string | undefined): Promise<CallRow | undefined> {
  const call = await lockCall(tx, { id: callId });
  return call && repSid && (call.callSid === null || call.callSid === repSid) ? call : undefined;
}

async function onRepsPhone(
  context: CallsContext,
  telephony: Telephony,
  { callId, params }: ProviderQuestion,
  next: (call: CallRow, about: ScriptFacts) => { facts: Partial<CallFacts>; script: Script },
): Promise<Script> {
  const reported = telephony.readLegEvent(params);
  return context.database.transaction(async (tx) => {
    const call = await lockCallOf(tx, callId, reported?.sid);
    if (!call || !reported) return telephony.hangUp({ text: farewell.en, language: "en" });
    const about = await findScriptFacts(tx, call);
    const { facts, script } = next(call, about);
    const over = call.state === "ended" || call.endRequestedAt !== null || !about.mayCall;
    // The provider's word is kept, whatever we answer.
    await applyFacts(tx, call, over ? { repLeg: facts.repLeg ?? null } : facts, { callSid: reported.sid });
    return over ? telephony.hangUp({ text: farewell[about.language], language: about.language }) : script;
  });
}

/** Dials the lead of a call; one that is not recorded has no notice of it either. */
function dialLead(
  context: CallsContext,
  telephony: Telephony,
  call: CallRow,
  { record, detect }: ScriptFacts,
): { facts: Partial<CallFacts>; script: Script } {
  const urls = callbackUrls(context.publicUrl, call.id);
  const notice = record ? urls.notice : urls.notice.replace("?call=", "?recorded=no&call=");
  return {
    facts: { repLeg: "in-progress", pressed: true, answeredBy: detect ? null : "unasked" },
    script: telephony.dialLead({ to: call.leadNumber, record, detect, urls: { ...urls, notice } }),
  };
}

/** The rep answered: ask for 1, or dial at once where the rep's setting says so. */
export function answerRep(
  context: CallsContext,
  telephony: Telephony,
  question: ProviderQuestion,
): Promise<Script> {
  const urls = callbackUrls(context.publicUrl, question.callId);
  return onRepsPhone(context, telephony, question, (call, about) =>
    call.pressOne
      ? {
          facts: { repLeg: "in-progress" },
          script: telephony.askToConfirm({ leadFirstName: about.firstName, language: about.language, urls }),
        }
      : dialLead(context, telephony, call, about),
  );
}

/** The rep pressed a key: 1 dials the lead; another is asked about once more. */
export function answerKey(
  context: CallsContext,
  telephony: Telephony,
  question: ProviderQuestion & { again: boolean },
): Promise<Script> {
  const urls = callbackUrls(context.publicUrl, question.callId);
  const digits = telephony.readDigits(question.params);
  return onRepsPhone(context, telephony, question, (call, about) => {
    if (digits === "1") return dialLead(context, telephony, call, about);
    const { firstName, language } = about;
    const again = { ...urls, confirm: urls.confirm.replace("?call=", "?again=1&call=") };
    return {
      facts: { repLeg: "in-progress" },
      script: question.again
        ? telephony.hangUp()
        : telephony.askToConfirm({ leadFirstName: firstName, language, urls: again }),
    };
  });
}

/** The lead answered: they hear that the call is recorded, where it is, then the two are connected. */
export async function answerNotice(
  context: CallsContext,
  telephony: Telephony,
  { callId, params, recorded }: ProviderQuestion & { recorded: boolean },
): Promise<Script> {
  const reported = telephony.readLegEvent(params);
  return context.database.transaction(async (tx) => {
    const call = reported?.parentSid ? await lockCallOf(tx, callId, reported.parentSid) : undefined;
    if (!call || !reported || call.state === "ended") return telephony.hangUp();
    await applyFacts(
      tx,
      call,
      { pressed: true, leadLeg: "in-progress" },
      { callSid: reported.parentSid, leadCallSid: reported.sid },
    );
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
    const { status: dialStatus, bridged: dialBridged, seconds: dialSeconds } = reported;
    await applyFacts(
      tx,
      call,
      { dialStatus, dialBridged, dialSeconds },
      { callSid: reported.sid, leadCallSid: reported.leadSid },
    );
  });
  return telephony.hangUp();
}
