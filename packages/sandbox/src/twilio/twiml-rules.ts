import type { TwimlNode } from "./twiml.ts";

const SPOKEN = ["Say", "Play", "Pause"];
const RECORDING = [
  "trim",
  "recordingStatusCallback",
  "recordingStatusCallbackMethod",
  "recordingStatusCallbackEvent",
  "recordingTrack",
];

/** Attributes and nested elements that the vendor documents for each verb that the sandbox runs. */
const VERBS: Record<string, { attributes: string[]; children: string[] | "any" }> = {
  Say: { attributes: ["voice", "language", "loop"], children: "any" },
  Play: { attributes: ["loop", "digits"], children: [] },
  Pause: { attributes: ["length"], children: [] },
  Gather: {
    attributes:
      "action method input numDigits timeout finishOnKey actionOnEmptyResult hints language profanityFilter speechTimeout maxSpeechTime speechModel enhanced bargeIn debug dtmfDetection partialResultCallback partialResultCallbackMethod".split(
        " ",
      ),
    children: SPOKEN,
  },
  Dial: {
    attributes: [
      ..."action method timeout timeLimit callerId callReason hangupOnStar answerOnBridge ringTone record sequential referUrl referMethod events".split(
        " ",
      ),
      ...RECORDING,
    ],
    children: ["Number", "Client", "Conference", "Queue", "Sim", "Sip", "Application", "WhatsApp"],
  },
  Number: {
    attributes:
      "url method sendDigits statusCallback statusCallbackMethod statusCallbackEvent byoc machineDetection machineDetectionTimeout machineDetectionSpeechThreshold machineDetectionSpeechEndThreshold machineDetectionSilenceTimeout amdStatusCallback amdStatusCallbackMethod".split(
        " ",
      ),
    children: [],
  },
  Record: {
    attributes: [
      ..."action method timeout finishOnKey maxLength playBeep transcribe transcribeCallback transcribeCallbackMethod".split(
        " ",
      ),
      ...RECORDING,
    ],
    children: [],
  },
  Redirect: { attributes: ["method"], children: [] },
  Hangup: { attributes: [], children: [] },
  Reject: { attributes: ["reason"], children: [] },
};
const COUNTS = ["numDigits", "timeout", "timeLimit", "length", "loop", "maxLength"];
const LONGEST_SAY = 4_096;

/** Warnings that the vendor's debugger would show for a document, which is run nevertheless. */
export function warningsOf(verbs: TwimlNode[]): string[] {
  return verbs.filter(({ name }) => !name.startsWith("#")).flatMap(warnings);
}

function warnings(node: TwimlNode): string[] {
  const rule = VERBS[node.name];
  if (!rule) return [`12200 Schema validation warning: <${node.name}>`];
  const found = Object.entries(node.attributes).flatMap(([attribute, value]) => {
    const known = rule.attributes.includes(attribute);
    const sound = !COUNTS.includes(attribute) || /^\d+$/.test(value) || value === "auto";
    return known && sound ? [] : [`12200 Schema validation warning: <${node.name} ${attribute}="${value}">`];
  });
  if (node.name === "Say" && node.text.length > LONGEST_SAY) found.push("13520 Say: invalid text");
  if (rule.children === "any") return found;
  for (const child of node.children.filter(({ name }) => !name.startsWith("#"))) {
    if (rule.children.includes(child.name)) found.push(...warnings(child));
    else found.push(`12200 Schema validation warning: <${child.name}> in <${node.name}>`);
  }
  return found;
}
