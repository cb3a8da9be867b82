import VoiceResponse from "twilio/lib/twiml/VoiceResponse.js";
import type { InboundVoice } from "../../ports/telephony.ts";
import { recorded, script, voices } from "./scripts.ts";

const words = {
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

/** Seconds that one of our phones rings for a caller, and the maximum lengths of a call and of a voicemail. */
const ringSeconds = 20;
const longestTalkSeconds = 7_200;
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
      timeout: ringSeconds,
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
        .say({ language: voices[language] }, words[language].take(callerName, forName));
    }
    response.hangup();
    return script(response);
  },
  // twilio.com/docs/voice/twiml/record#transcribe: only English.
  transcribes: (language) => language === "en",
  takeVoicemail({ language, transcribe, urls }) {
    const response = new VoiceResponse();
    const say = { language: voices[language] } as const;
    response.say(say, words[language].voicemail);
    response.record({
      maxLength: voicemailSeconds,
      playBeep: true,
      action: urls.done,
      method: "POST",
      recordingStatusCallback: urls.recording,
      recordingStatusCallbackEvent: ["completed", "absent"],
      ...(transcribe && { transcribe, transcribeCallback: urls.transcription }),
    });
    response.say(say, words[language].thanks);
    response.hangup();
    return script(response);
  },
};
