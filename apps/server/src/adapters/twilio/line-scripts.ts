import VoiceResponse from "twilio/lib/twiml/VoiceResponse.js";
import type { PhoneLine } from "../../ports/telephony.ts";
import { dialNumber, script, voices } from "./scripts.ts";

/** Says words on an open line and leads it on (twilio.com/docs/voice/twiml/gather, /dial); the library escapes names. */
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
      // Otherwise # would only end the keys.
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
