import { numberOr } from "../number-or.ts";
import type { Gathering, Leg, Method, Target } from "./leg.ts";
import type { TwimlNode } from "./twiml.ts";

/** What the person hears of a Say, Play or Pause, and how long it takes in simulated milliseconds. */
export function utterance(node: TwimlNode): { text: string | null; ms: number } {
  const loop = Math.max(1, numberOr(node.attributes.loop, 1));
  if (node.name === "Say") return { text: node.text, ms: Math.max(800, node.text.length * 65) * loop };
  if (node.name === "Play")
    return { text: `♪ ${node.text || node.attributes.digits || ""}`, ms: 3_000 * loop };
  return { text: null, ms: numberOr(node.attributes.length, 1) * 1_000 };
}

export function isSpeech(node: TwimlNode): boolean {
  return node.name === "Say" || node.name === "Play" || node.name === "Pause";
}

/** A `<Gather>` as it starts; without `action` the running document is asked again. */
export function gatherOf(node: TwimlNode, leg: Leg): Gathering {
  const { numDigits, finishOnKey, timeout, actionOnEmptyResult } = node.attributes;
  return {
    numDigits: numDigits ? numberOr(numDigits, 1) : null,
    finishOnKey: finishOnKey ?? "#",
    timeoutMs: numberOr(timeout, 5) * 1_000,
    action: targetOf(node, "action", "method", leg.baseUrl) ?? { url: leg.baseUrl ?? "", method: "POST" },
    askEmpty: actionOnEmptyResult === "true",
    digits: "",
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

/** An absolute URL is kept letter for letter, because the signature covers it. */
export function resolveUrl(url: string, base: string | null): string {
  if (/^https?:\/\//i.test(url) || !base) return url;
  return URL.canParse(url, base) ? new URL(url, base).href : url;
}

export function methodOf(method: string | undefined): Method {
  return method?.toUpperCase() === "GET" ? "GET" : "POST";
}
