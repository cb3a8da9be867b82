import { numberOr } from "../number-or.ts";
import type { Gathering, Leg, Method, Target, Utterance } from "./leg.ts";
import type { TwimlNode } from "./twiml.ts";

/** Speed of Say, in simulated milliseconds: about 150 words a minute. */
export const SPEECH = { msPerWord: 400 };
/** `loop="0"` repeats until the end of the call; Twilio stops after this many. */
const ENDLESS = 1_000;
const DIGIT_MS = 500;

/** What the person hears of a Say or Play of digits (nothing for a Pause), and its duration in simulated milliseconds. */
export function utterance(
  { name, text, attributes }: TwimlNode,
  { msPerWord }: { msPerWord: number },
): { words: Pick<Utterance, "kind" | "text" | "language"> | null; ms: number } {
  if (name === "Say") {
    const ms = text.split(" ").length * msPerWord * loopOf(attributes);
    return { words: { kind: "say", text, language: attributes.language ?? "en-US" }, ms };
  }
  if (name === "Play") {
    const digits = attributes.digits ?? "";
    return { words: { kind: "play", text: digits, language: null }, ms: digits.length * DIGIT_MS };
  }
  return { words: null, ms: numberOr(attributes.length, 1) * 1_000 };
}

export function loopOf({ loop }: TwimlNode["attributes"]): number {
  return Math.max(0, Math.floor(numberOr(loop, 1))) || ENDLESS;
}

export function isSpeech(node: TwimlNode): boolean {
  return node.name === "Say" || node.name === "Play" || node.name === "Pause";
}

/** A starting `<Gather>`; without `action` the running document is requested again. */
export function gatherOf(node: TwimlNode, leg: Leg): Gathering {
  const { numDigits, finishOnKey, timeout, actionOnEmptyResult } = node.attributes;
  return {
    numDigits: numDigits ? numberOr(numDigits, 1) : null,
    finishOnKey: finishOnKey ?? "#",
    timeoutMs: numberOr(timeout, 5) * 1_000,
    action: targetOf(node, "action", "method", leg.baseUrl) ?? { url: leg.baseUrl ?? "", method: "POST" },
    askEmpty: actionOnEmptyResult === "true",
    digits: "",
    prompts: node.children.filter(isSpeech),
    asksForOne: node.children.some(({ name, text }) => name === "Say" && /\b1\b/.test(text)),
  };
}

/** The URL in one attribute, made absolute; null when the attribute is missing. */
export function targetOf(
  node: TwimlNode,
  urlAttribute: string,
  methodAttribute: string,
  base: string | null,
): Target | null {
  const url = node.attributes[urlAttribute];
  if (url === undefined) return null;
  return { url: resolveUrl(url, base), method: methodOf(node.attributes[methodAttribute]) };
}

/** An absolute URL is not changed at all, because the signature covers it. */
export function resolveUrl(url: string, base: string | null): string {
  if (/^https?:\/\//i.test(url) || !base) return url;
  return URL.canParse(url, base) ? new URL(url, base).href : url;
}

export function methodOf(method: string | undefined): Method {
  return method?.toUpperCase() === "GET" ? "GET" : "POST";
}
