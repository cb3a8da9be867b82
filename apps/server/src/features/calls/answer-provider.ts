import type { Tx } from "../../db/client.ts";
import type { Script, ScriptLanguage, Telephony, WebhookParams } from "../../ports/telephony.ts";
import { recordingNotice } from "../recordings/notice.ts";
import { applyFacts } from "./apply-facts.ts";
import { type CallRow, findLeadLanguage, findScriptFacts, lockCall, type ScriptFacts } from "./data.ts";
import type { CallFacts } from "./machine.ts";
import { type CallsContext, callbackUrls } from "./service.ts";

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
  next: (call: CallRow, told: ScriptFacts) => { facts: Partial<CallFacts>; script: Script },
): Promise<Script> {
  const news = telephony.readLegNews(params);
  return context.database.transaction(async (tx) => {
    const call = await lockCallOf(tx, callId, news?.sid);
    if (!call || !news) return telephony.hangUp({ text: farewell.en, language: "en" });
    const told = await findScriptFacts(tx, call);
    const { facts, script } = next(call, told);
    const over = call.state === "ended" || call.endRequestedAt !== null || !told.mayCall;
    // The provider's word is kept, whatever we answer.
    await applyFacts(tx, call, over ? { repLeg: facts.repLeg ?? null } : facts, { callSid: news.sid });
    return over ? telephony.hangUp({ text: farewell[told.language], language: told.language }) : script;
  });
}

/** Dials the lead of a call; one that is not recorded has no notice of it either. */
function dialLead(
  context: CallsContext,
  telephony: Telephony,
  call: CallRow,
  { record }: ScriptFacts,
): { facts: Partial<CallFacts>; script: Script } {
  const urls = callbackUrls(context.publicUrl, call.id);
  const notice = record ? urls.notice : urls.notice.replace("?call=", "?recorded=no&call=");
  return {
    facts: { repLeg: "in-progress", pressed: true },
    script: telephony.dialLead({ to: call.leadNumber, record, urls: { ...urls, notice } }),
  };
}

/** The rep answered: ask for 1, or dial at once where the rep's setting says so. */
export function answerRep(
  context: CallsContext,
  telephony: Telephony,
  question: ProviderQuestion,
): Promise<Script> {
  const urls = callbackUrls(context.publicUrl, question.callId);
  return onRepsPhone(context, telephony, question, (call, told) =>
    call.pressOne
      ? {
          facts: { repLeg: "in-progress" },
          script: telephony.askToConfirm({ leadFirstName: told.firstName, language: told.language, urls }),
        }
      : dialLead(context, telephony, call, told),
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
  return onRepsPhone(context, telephony, question, (call, told) => {
    if (digits === "1") return dialLead(context, telephony, call, told);
    const { firstName, language } = told;
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
  const news = telephony.readLegNews(params);
  return context.database.transaction(async (tx) => {
    const call = news?.parentSid ? await lockCallOf(tx, callId, news.parentSid) : undefined;
    if (!call || !news || call.state === "ended") return telephony.hangUp();
    await applyFacts(
      tx,
      call,
      { pressed: true, leadLeg: "in-progress" },
      { callSid: news.parentSid, leadCallSid: news.sid },
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
  const news = telephony.readDialNews(params);
  await context.database.transaction(async (tx) => {
    const call = await lockCallOf(tx, callId, news?.sid);
    if (!call || !news) return;
    const { status: dialStatus, bridged: dialBridged, seconds: dialSeconds } = news;
    await applyFacts(
      tx,
      call,
      { dialStatus, dialBridged, dialSeconds },
      { callSid: news.sid, leadCallSid: news.leadSid },
    );
  });
  return telephony.hangUp();
}
