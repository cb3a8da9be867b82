import { isReachable } from "../../../domain/reachability.ts";
import { lockPerson } from "../../../platform/db/advisory-locks.ts";
import type { Tx } from "../../../platform/db/client.ts";
import { audienceOf, publishEvent } from "../../../platform/realtime/publish.ts";
import type { InboundUrls, Script, Telephony, WebhookParams } from "../../../ports/telephony.ts";
import { findReachability } from "../../availability/repository.ts";
import { leadLanguage, recordingNotice } from "../policy.ts";
import { type CallsContext, providerRetries } from "../types.ts";
import { type InboundStep, nextStep, type RingStep } from "./machine.ts";
import {
  findCaller,
  findInboundFacts,
  type InboundRow,
  insertInbound,
  lockInbound,
  updateInbound,
} from "./repository.ts";
import { applyInbound, factsOf, rungOf } from "./update-inbound.ts";

/** A request of the provider about a known inbound call and one of its steps. */
export interface InboundQuestion {
  inboundCallId: number;
  step: InboundStep;
  params: WebhookParams;
}

/** Callback addresses of one step of an inbound call. */
function inboundUrls(publicUrl: string, inboundCallId: number, step: InboundStep): InboundUrls {
  const query = `?inbound=${inboundCallId}&step=${step}${providerRetries}`;
  const url = (path: string) => `${publicUrl}/api/twilio/voice/inbound-${path}${query}`;
  return {
    whisper: url("whisper"),
    take: url("take"),
    done: url("done"),
    transcription: url("transcription"),
    recording: `${publicUrl}/api/twilio/recording-status${query}`,
  };
}

/** Whose own phone rings for a lead: the consultant's, or their stand-in's while they are not reachable; null if neither is. */
async function chooseRung(tx: Tx, ownerId: number | null): Promise<number | null> {
  if (ownerId === null) return null;
  const now = new Date();
  const owner = await findReachability(tx, ownerId, now);
  if (isReachable(owner, now)) return ownerId;
  if (!owner.standIn) return null;
  // There is no chain: a stand-in who is absent has a stand-in for their own callers, not for these.
  const standIn = await findReachability(tx, owner.standIn.id, now);
  return isReachable(standIn, now) ? standIn.userId : null;
}

/** Moves the caller to the next possible step, which is stored before the response is sent. */
async function leadOn(
  tx: Tx,
  context: CallsContext,
  telephony: Telephony,
  call: InboundRow,
): Promise<Script> {
  const facts = factsOf(call);
  // Decided once per call, so that the same phone keeps ringing even if somebody's availability changes meanwhile.
  const rungUserId = facts.asked === null ? await chooseRung(tx, call.ownerId) : rungOf(call);
  if (rungUserId !== null) await lockPerson(tx, rungUserId);
  const about = await findInboundFacts(tx, { ...call, rungUserId });
  const isFree = rungUserId !== null && !about.repBusy && about.repNumber !== telephony.callerId;
  const rep = isFree ? about.repNumber : null;
  const line = context.officeLine;
  const ours = [telephony.callerId, about.repNumber, about.ownerNumber];
  const office = ours.includes(line) ? null : line;
  const step = nextStep(facts, { rep: rep !== null, office: office !== null });
  if (step === null) return telephony.hangUp();
  // The notice is played once, before the first of our phones that rings for a recorded call.
  const { transcribe } = about;
  const record = step === "rep" ? about.recordsRep : about.recordsOwner;
  const noticed = record && step !== "voicemail" ? (facts.noticed ?? step) : null;
  const asked = step === "rep" ? await updateInbound(tx, call.id, { rungUserId }) : call;
  await applyInbound(tx, asked, { asked: step, noticed });

  const lead = { language: about.leadLanguage, number: call.fromNumber };
  const urls = inboundUrls(context.publicUrl, call.id, step);
  const to = step === "rep" ? (rep ?? about.repNumber) : office;
  if (step === "voicemail" || to === null) {
    const language = leadLanguage(context.noticeMarket, lead);
    const noTranscription = !transcribe ? "off" : telephony.transcribes(language) ? null : "language";
    await updateInbound(tx, call.id, { noTranscription });
    return telephony.takeVoicemail({ language, transcribe: noTranscription === null, urls });
  }
  const notice = noticed === step ? recordingNotice(context.noticeMarket, lead) : null;
  return telephony.ringForCaller({ to, record, notice, urls });
}

/** A call to the shared number: stores it and rings the phone that should take it. */
export async function answerCaller(
  context: CallsContext,
  telephony: Telephony,
  params: WebhookParams,
): Promise<Script> {
  const reported = telephony.readInbound(params);
  if (!reported) return telephony.hangUp();
  return context.database.transaction(async (tx) => {
    const known = await lockInbound(tx, { callSid: reported.sid });
    if (!known) {
      const caller = reported.from === null ? undefined : await findCaller(tx, reported.from);
      await insertInbound(tx, {
        callSid: reported.sid,
        fromNumber: reported.from ?? "anonymous",
        leadId: caller?.leadId ?? null,
        ownerId: caller?.ownerId ?? null,
      });
    }
    const call = known ?? (await lockInbound(tx, { callSid: reported.sid }));
    if (!call) throw new Error("an inbound call was not kept");
    if (!known && call.leadId !== null) {
      await publishEvent(tx, { topic: "lead", id: call.leadId, audience: audienceOf(call.ownerId) });
    }
    return leadOn(tx, context, telephony, call);
  });
}

/** One of our phones was answered: asks for 1, so that a voicemail never takes the call. */
export async function answerWhisper(
  context: CallsContext,
  telephony: Telephony,
  { inboundCallId, step }: InboundQuestion,
): Promise<Script> {
  return context.database.transaction(async (tx) => {
    const call = await lockInbound(tx, { id: inboundCallId });
    if (!call || step === "voicemail" || !stillRings(call, step)) return telephony.hangUp();
    const { callerName, repLanguage, repNumber, ownerName } = await findInboundFacts(tx, call);
    // The account was disabled while the phone rang, so the caller is moved to the next step.
    if (step === "rep" && repNumber === null) return telephony.hangUp();
    const urls = inboundUrls(context.publicUrl, call.id, step);
    const forName = step === "rep" && rungOf(call) !== call.ownerId ? ownerName : null;
    return telephony.askToTake({ callerName, forName, language: repLanguage, urls });
  });
}

/** A key was pressed: 1 connects the two, unless the caller hung up or moved to another step meanwhile. */
export async function answerPressedKey(
  context: CallsContext,
  telephony: Telephony,
  { inboundCallId, step, params }: InboundQuestion,
): Promise<Script> {
  const digits = telephony.readDigits(params);
  return context.database.transaction(async (tx) => {
    const call = await lockInbound(tx, { id: inboundCallId });
    if (!call || step === "voicemail" || digits !== "1" || !stillRings(call, step)) return telephony.hangUp();
    await applyInbound(tx, call, { taken: step });
    return telephony.acknowledge();
  });
}

function stillRings(call: InboundRow, step: RingStep): boolean {
  const { asked, gone, [step]: end } = factsOf(call);
  return !gone && asked === step && end === null;
}

/** A step ended: stores how, and moves the caller to the next one. */
export async function answerDone(
  context: CallsContext,
  telephony: Telephony,
  { inboundCallId, step, params }: InboundQuestion,
): Promise<Script> {
  const reported = telephony.readDialEvent(params);
  const gone = telephony.readLegEvent(params)?.status === "completed";
  return context.database.transaction(async (tx) => {
    const call = await lockInbound(tx, { id: inboundCallId });
    if (!call || reported?.sid !== call.callSid) return telephony.hangUp();
    if (step === "voicemail") {
      await applyInbound(tx, call, { voicemailSeconds: telephony.readVoicemailSeconds(params), gone });
      return telephony.hangUp();
    }
    // A phone that nobody answered cannot have been connected, even if the provider reports it.
    const bridged = reported.status === "completed" ? reported.bridged : false;
    const updated = await applyInbound(tx, call, {
      [step]: { bridged, seconds: reported.durationSeconds },
      gone,
    });
    return leadOn(tx, context, telephony, updated);
  });
}
