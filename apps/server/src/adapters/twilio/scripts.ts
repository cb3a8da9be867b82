import { limits } from "@portal/contract/limits";
import VoiceResponse from "twilio/lib/twiml/VoiceResponse.js";
import type {
  CallbackUrls,
  InboundVoice,
  MessageVoice,
  PhoneLine,
  Script,
  Telephony,
} from "../../ports/telephony.ts";

/** Voices for our consultants and for leads. */
const voices = { en: "en-US", es: "es-MX" } as const;
const words = {
  en: {
    ask: (name: string) => `Press 1 to call ${name}.`,
    nothing: "No key was pressed. Goodbye.",
  },
  es: {
    ask: (name: string) => `Pulsa 1 para llamar a ${name}.`,
    nothing: "No se pulsó ninguna tecla. Adiós.",
  },
};

/** Seconds that the lead's phone rings, and the maximum length of a call. */
const ringSeconds = 25;
const longestTalkSeconds = 7_200;

/**
 * Timeout of Twilio's machine detection; after it the result is `unknown`. It is Twilio's default, set explicitly because other values
 * depend on it.
 */
const detectionSeconds = 30;

/** Records both sides from the answer on, in separate channels (twilio.com/docs/voice/twiml/dial#record). */
function recorded(urls: { recording: string }) {
  return {
    record: "record-from-answer-dual",
    recordingStatusCallback: urls.recording,
    recordingStatusCallbackEvent: ["completed", "absent"],
  } as const satisfies VoiceResponse.DialAttributes;
}

function script(response: VoiceResponse): Script {
  return { contentType: "text/xml; charset=utf-8", body: response.toString() };
}

interface Dialled {
  to: string;
  callerId: string;
  record: boolean;
  detect: boolean;
  untilBeep: boolean;
  urls: Pick<CallbackUrls, "dialDone" | "leadStatus" | "detection" | "notice" | "recording">;
}

/** Dials a lead, who hears the recording notice before the two are connected. */
function dialNumber(
  response: VoiceResponse,
  { to, callerId, record, detect, untilBeep, urls }: Dialled,
  more: VoiceResponse.DialAttributes = {},
): void {
  const dial = response.dial({
    callerId,
    timeout: ringSeconds,
    timeLimit: longestTalkSeconds,
    action: urls.dialDone,
    method: "POST",
    ...(record && recorded(urls)),
    ...more,
  });
  dial.number(
    {
      url: urls.notice,
      method: "POST",
      statusCallback: urls.leadStatus,
      statusCallbackEvent: ["initiated", "ringing", "answered", "completed"],
      ...(detect && {
        machineDetection: untilBeep ? "DetectMessageEnd" : "Enable",
        machineDetectionTimeout: detectionSeconds,
        amdStatusCallback: urls.detection,
      }),
    },
    to,
  );
}

/** The TwiML of our calls (twilio.com/docs/voice/twiml). The library escapes names. */
export const scripts: Pick<Telephony, "askToConfirm" | "hangUp" | "acknowledge"> & {
  dialLead(input: Dialled): Script;
  playMessage(input: { sound: string; done: string }): Script;
} = {
  askToConfirm({ leadFirstName, language, urls }) {
    const response = new VoiceResponse();
    const say = { language: voices[language] } as const;
    // A Gather without a key continues with the next verb, so the question is repeated once.
    for (let round = 0; round < 2; round += 1) {
      response
        .gather({ numDigits: 1, timeout: 6, action: urls.confirm, method: "POST" })
        .say(say, words[language].ask(leadFirstName));
    }
    response.say(say, words[language].nothing);
    response.hangup();
    return script(response);
  },
  dialLead(input) {
    const response = new VoiceResponse();
    dialNumber(response, input);
    return script(response);
  },
  playMessage({ sound, done }) {
    const response = new VoiceResponse();
    response.play(sound);
    // Requested only if the sound was played to its end. Twilio does not request it after a hangup.
    response.redirect({ method: "POST" }, done);
    return script(response);
  },
  hangUp(say) {
    const response = new VoiceResponse();
    if (say) response.say({ language: voices[say.language] }, say.text);
    response.hangup();
    return script(response);
  },
  acknowledge: () => script(new VoiceResponse()),
};

/** Says texts on an open line, then performs the next task (twilio.com/docs/voice/twiml/gather, /dial). The library escapes names. */
export function lineScript({
  language,
  say,
  next,
  callerId,
}: Parameters<PhoneLine["lineScript"]>[0] & { callerId: string }): ReturnType<PhoneLine["lineScript"]> {
  const response = new VoiceResponse();
  const voice = { language: voices[language] } as const;
  if (next.kind === "key") {
    const gather = response.gather({
      input: ["dtmf"],
      numDigits: 1,
      timeout: next.seconds,
      // Otherwise # only ends the input.
      finishOnKey: "",
      actionOnEmptyResult: true,
      action: next.url,
      method: "POST",
    });
    for (const words of say) gather.say(voice, words);
    if (next.tone) gather.play({ digits: "0" });
    return script(response);
  }
  for (const words of say) response.say(voice, words);
  if (next.kind === "dial") dialNumber(response, { ...next, callerId }, { hangupOnStar: true });
  else if (next.kind === "hang_up") response.hangup();
  else {
    if (next.seconds > 0) response.pause({ length: next.seconds });
    response.redirect({ method: "POST" }, next.url);
  }
  return script(response);
}

const messageWords = {
  en: {
    ask: "Press 1 to record your message.",
    record: "Speak after the tone, and press the pound key when you are done.",
  },
  es: {
    ask: "Pulsa 1 para grabar tu mensaje.",
    record: "Habla después del tono y pulsa la tecla numeral cuando termines.",
  },
};

/** One second below the limit, because the recorded file is slightly longer than requested. */
const longestSeconds = limits.voicemailMessageSeconds - 1;

/** The TwiML with which a consultant records a message on their own phone (twilio.com/docs/voice/twiml/record). */
export const messageScripts: Pick<MessageVoice, "askToRecord" | "recordMessage"> = {
  askToRecord({ language, record }) {
    const response = new VoiceResponse();
    // If 1 is not pressed, a voicemail may have answered, and its greeting must not become the message.
    for (let round = 0; round < 2; round += 1) {
      response
        .gather({ numDigits: 1, timeout: 6, action: record, method: "POST" })
        .say({ language: voices[language] }, messageWords[language].ask);
    }
    response.hangup();
    return script(response);
  },
  recordMessage({ language, done, sound }) {
    const response = new VoiceResponse();
    response.say({ language: voices[language] }, messageWords[language].record);
    response.record({
      maxLength: longestSeconds,
      playBeep: true,
      finishOnKey: "#",
      action: done,
      method: "POST",
      recordingStatusCallback: sound,
      recordingStatusCallbackEvent: ["completed", "absent"],
    });
    return script(response);
  },
};

const inboundWords = {
  en: {
    take: (name: string | null, forName: string | null) =>
      `Call from ${name ?? "an unknown number"}${forName ? ` for ${forName}` : ""}. Press 1 to take it.`,
    voicemail:
      "Nobody can take your call right now. Leave a message after the tone and we will call you back.",
    thanks: "Thank you. Goodbye.",
  },
  es: {
    take: (name: string | null, forName: string | null) =>
      `Llamada de ${name ?? "un número desconocido"}${forName ? ` para ${forName}` : ""}. Pulsa 1 para contestarla.`,
    voicemail:
      "En este momento nadie puede atender su llamada. Deje un mensaje después del tono y le devolveremos la llamada.",
    thanks: "Gracias. Adiós.",
  },
};

/** Seconds that one of our phones rings for a caller, and the maximum length of a voicemail. */
const callerRingSeconds = 20;
const voicemailSeconds = 120;

type Scripts = Pick<InboundVoice, "sayBefore" | "askToTake" | "transcribes" | "takeVoicemail"> & {
  ringForCaller(
    input: Parameters<InboundVoice["ringForCaller"]>[0] & { callerId: string },
  ): ReturnType<InboundVoice["ringForCaller"]>;
};

/** The TwiML of inbound calls and of the recording notice (twilio.com/docs/voice/twiml). */
export const inboundScripts: Scripts = {
  sayBefore({ text, language }) {
    const response = new VoiceResponse();
    response.say({ language: voices[language] }, text);
    return script(response);
  },
  ringForCaller({ to, callerId, record, notice, urls }) {
    const response = new VoiceResponse();
    if (notice) response.say({ language: voices[notice.language] }, notice.text);
    const dial = response.dial({
      callerId,
      timeout: callerRingSeconds,
      timeLimit: longestTalkSeconds,
      action: urls.done,
      method: "POST",
      ...(record && recorded(urls)),
    });
    // The script for the person who answers must require a press of 1. Otherwise the leg is hung up, so that a voicemail is not connected
    // to the caller.
    dial.number({ url: urls.whisper, method: "POST" }, to);
    return script(response);
  },
  askToTake({ callerName, forName, language, urls }) {
    const response = new VoiceResponse();
    for (let round = 0; round < 2; round += 1) {
      response
        .gather({ numDigits: 1, timeout: 6, action: urls.take, method: "POST" })
        .say({ language: voices[language] }, inboundWords[language].take(callerName, forName));
    }
    response.hangup();
    return script(response);
  },
  // twilio.com/docs/voice/twiml/record#transcribe: only English.
  transcribes: (language) => language === "en",
  takeVoicemail({ language, transcribe, urls }) {
    const response = new VoiceResponse();
    const say = { language: voices[language] } as const;
    response.say(say, inboundWords[language].voicemail);
    response.record({
      maxLength: voicemailSeconds,
      playBeep: true,
      action: urls.done,
      method: "POST",
      recordingStatusCallback: urls.recording,
      recordingStatusCallbackEvent: ["completed", "absent"],
      ...(transcribe && { transcribe, transcribeCallback: urls.transcription }),
    });
    response.say(say, inboundWords[language].thanks);
    response.hangup();
    return script(response);
  },
};
