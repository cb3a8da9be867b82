import type { Telephony } from "../../ports/telephony.ts";
import {
  createRequests,
  findOwnNumbers,
  isSignedBy,
  recordsPerPage,
  type TwilioEnv,
  toProviderError,
  unreadableAnswer,
} from "./client.ts";
import { openMedia } from "./media.ts";
import { inboundScripts, lineScript, messageScripts, scripts } from "./scripts.ts";
import {
  callerOf,
  digitsOf,
  providerLegOf,
  recordingOf,
  toDialEvent,
  toInboundEvent,
  toLegEvent,
  toRecordingEvent,
  transcriptionOf,
  voicemailSecondsOf,
} from "./transform.ts";

/** Seconds that the rep's phone rings, and the maximum length of a call with its prompt. */
const repRingSeconds = 30;
const callSeconds = 7_500;
/** The maximum that Twilio allows by default. */
const lineSeconds = 14_400;
/** Maximum number of a number's newest calls that are searched. */
const listLimit = 50;
/** Maximum number of inbound calls that are searched. */
const inboundLimit = 5_000;
/** Allowed difference between the provider's clock and ours. */
const clockSkewMs = 10_000;
const callCannotChange = 21_220;

function readAs<T>(transform: (answer: unknown) => T, answer: unknown): T {
  try {
    return transform(answer);
  } catch (error) {
    throw unreadableAnswer(error);
  }
}

/** Adds our id of the call to the fallback address, because the provider's id may not have reached us. */
function fallbackOf(address: string, answered: string): string {
  const url = new URL(address);
  for (const [name, value] of new URL(answered).searchParams) url.searchParams.set(name, value);
  return url.href;
}

const readLeg = (call: unknown) => readAs(providerLegOf, call);

/**
 * Telephony through Twilio's Programmable Voice. Details and sources: docs/providers/twilio.md. A request ends after `timeoutMs`, so that a
 * rep sees a message within 12 s if the provider does not respond.
 */
export function createTwilioTelephony(env: TwilioEnv, timeoutMs = 10_000): Telephony {
  const { ask } = createRequests(env, timeoutMs);
  // Separate, because a recording that cannot be read says nothing about calls.
  const { circuit: mediaCircuit } = createRequests(env, timeoutMs);

  async function findLeg(sid: string) {
    try {
      return await ask(async (twilio) => readLeg(await twilio.calls(sid).fetch()));
    } catch (error) {
      if (toProviderError(error).kind === "not-found") return null;
      throw error;
    }
  }

  return {
    callerId: env.phoneNumber,
    callsPerSecond: env.callsPerSecond,

    placeCall: ({ to, urls, keptOpen = false }) =>
      ask(async (twilio) =>
        readLeg(
          await twilio.calls.create({
            to,
            from: env.phoneNumber,
            url: urls.answered,
            method: "POST",
            ...(env.callFallbackUrl && {
              fallbackUrl: fallbackOf(env.callFallbackUrl, urls.answered),
              fallbackMethod: "POST",
            }),
            statusCallback: urls.repStatus,
            statusCallbackMethod: "POST",
            statusCallbackEvent: ["initiated", "ringing", "answered", "completed"],
            timeout: repRingSeconds,
            timeLimit: keptOpen ? lineSeconds : callSeconds,
          }),
        ),
      ),

    async endCall(sid) {
      try {
        return await ask(async (twilio) => readLeg(await twilio.calls(sid).update({ status: "completed" })));
      } catch (error) {
        const known = toProviderError(error).providerCode === callCannotChange ? await findLeg(sid) : null;
        if (known) return known;
        throw error;
      }
    },

    leaveMessage: ({ leadSid, ...message }) =>
      ask(async (twilio) => {
        await twilio.calls(leadSid).update({ twiml: scripts.playMessage(message).body });
      }),

    findLeg,

    async leadLeg(sid, url) {
      try {
        return await ask(async (twilio) => readLeg(await twilio.calls(sid).update({ url, method: "POST" })));
      } catch (error) {
        const { providerCode, kind } = toProviderError(error);
        if (providerCode === callCannotChange || kind === "not-found") return null;
        throw error;
      }
    },

    async findDialledLegs({ parentSid, to, since }) {
      const legs = await ask((twilio) => twilio.calls.list({ parentCallSid: parentSid, limit: listLimit }));
      const oldest = since.getTime() - clockSkewMs;
      return legs.map(readLeg).filter((leg) => leg.to === to && (leg.createdAt?.getTime() ?? 0) >= oldest);
    },

    async findLeadLeg(repSid) {
      const [leg] = await ask((twilio) => twilio.calls.list({ parentCallSid: repSid, limit: 1 }));
      return leg ? readLeg(leg) : null;
    },

    async findCallsTo({ to, since }) {
      // No StartTime filter: a queued call has no such time and must be found as well.
      const calls = await ask((twilio) => twilio.calls.list({ to, from: env.phoneNumber, limit: listLimit }));
      const oldest = since.getTime() - clockSkewMs;
      return calls.map(readLeg).filter((leg) => (leg.createdAt?.getTime() ?? 0) >= oldest);
    },

    async listInbound({ since, address }) {
      const filter = { startTimeAfter: since, limit: inboundLimit, pageSize: recordsPerPage };
      const calls = await ask(async (twilio) => {
        const found = [];
        for (const to of await findOwnNumbers(twilio, env, { field: "voiceUrl", address }))
          found.push(...(await twilio.calls.list({ to, ...filter })));
        return found;
      });
      return calls
        .filter(({ direction }) => direction === "inbound")
        .map(readLeg)
        .map((leg) => ({ ...leg, from: callerOf(leg.from) }))
        .sort((a, b) => (b.createdAt?.getTime() ?? 0) - (a.createdAt?.getTime() ?? 0));
    },

    async listRecordings(callSid) {
      const found = await ask((twilio) => twilio.recordings.list({ callSid, limit: listLimit }));
      return found.map((recording) => readAs(recordingOf, recording));
    },
    openRecording: (recordingSid, options) =>
      mediaCircuit(() => openMedia(env, { recordingSid, ...options, timeoutMs })),
    async deleteRecording(recordingSid) {
      try {
        await ask((twilio) => twilio.recordings(recordingSid).remove());
      } catch (error) {
        if (toProviderError(error).kind !== "not-found") throw error;
      }
    },

    isSigned: (request) => isSignedBy(env, request),
    readLegEvent: toLegEvent,
    readDialEvent: toDialEvent,
    readDigits: digitsOf,
    readInbound: toInboundEvent,
    readRecordingEvent: toRecordingEvent,
    readTranscription: transcriptionOf,
    readVoicemailSeconds: voicemailSecondsOf,

    ...messageScripts,
    askToConfirm: scripts.askToConfirm,
    dialLead: (input) => scripts.dialLead({ ...input, callerId: env.phoneNumber }),
    lineScript: (input) => lineScript({ ...input, callerId: env.phoneNumber }),
    hangUp: scripts.hangUp,
    acknowledge: scripts.acknowledge,
    sayBefore: inboundScripts.sayBefore,
    ringForCaller: (input) => inboundScripts.ringForCaller({ ...input, callerId: env.phoneNumber }),
    askToTake: inboundScripts.askToTake,
    transcribes: inboundScripts.transcribes,
    takeVoicemail: inboundScripts.takeVoicemail,
  };
}
