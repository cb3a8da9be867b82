import { limits } from "@portal/contract/limits";
import VoiceResponse from "twilio/lib/twiml/VoiceResponse.js";
import type { MessageVoice } from "../../ports/telephony.ts";
import { script, voices } from "./scripts.ts";

const words = {
  en: {
    ask: "Press 1 to record your message.",
    record: "Speak after the tone, and press the pound key when you are done.",
  },
  es: {
    ask: "Pulsa 1 para grabar tu mensaje.",
    record: "Habla después del tono y pulsa la tecla numeral cuando termines.",
  },
};

/** A second less than a message may take: what comes as a file is a moment longer than what was asked for. */
const longestSeconds = limits.voicemailMessageSeconds - 1;

/** The TwiML by which a consultant records a message on their own phone (twilio.com/docs/voice/twiml/record). */
export const messageScripts: Pick<MessageVoice, "askToRecord" | "recordMessage"> = {
  askToRecord({ language, record }) {
    const response = new VoiceResponse();
    // Who does not press 1 may be a voicemail, whose greeting is no message.
    for (let round = 0; round < 2; round += 1) {
      response
        .gather({ numDigits: 1, timeout: 6, action: record, method: "POST" })
        .say({ language: voices[language] }, words[language].ask);
    }
    response.hangup();
    return script(response);
  },
  recordMessage({ language, done, sound }) {
    const response = new VoiceResponse();
    response.say({ language: voices[language] }, words[language].record);
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
