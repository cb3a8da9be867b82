import { SYSTEM_NUMBER } from "../defaults.ts";
import { numberOr } from "../number-or.ts";
import { toE164 } from "../numbers.ts";
import type { CallEvent, Dialing, Leg, Target } from "./leg.ts";
import { methodOf, resolveUrl, targetOf } from "./speech.ts";
import type { TwimlNode } from "./twiml.ts";

const EVENTS: readonly CallEvent[] = ["initiated", "ringing", "answered", "completed"];

/** A `<Dial>` as it starts, before its legs are made. */
export function dialOf(node: TwimlNode, parent: Leg): Dialing {
  const { timeLimit, hangupOnStar, record, recordingStatusCallbackEvent } = node.attributes;
  const recorded = record?.startsWith("record-from") || record === "true";
  return {
    action: targetOf(node, "action", "method", parent.baseUrl),
    timeLimitSeconds: numberOr(timeLimit, 14_400),
    hangupOnStar: hangupOnStar === "true",
    children: [],
    winner: null,
    bridged: false,
    recording: recorded
      ? {
          channels: record?.endsWith("-dual") ? 2 : 1,
          source: "DialVerb",
          transcribeCallback: null,
          callback: targetOf(
            node,
            "recordingStatusCallback",
            "recordingStatusCallbackMethod",
            parent.baseUrl,
          ),
          events: listOf(recordingStatusCallbackEvent, "completed"),
        }
      : null,
    recordingSid: null,
  };
}

/** Data for a child leg of a `<Dial>`; `to` is null if the number cannot be dialed. */
export interface ChildPlan {
  to: string | null;
  from: string;
  ringSeconds: number;
  document: Target | null;
  callback: Leg["callback"];
  machineDetection: Leg["machineDetection"];
}

/** The legs of a `<Dial>`: one for each `<Number>`, or for its own text. */
export function childrenOf(node: TwimlNode, parent: Leg): ChildPlan[] {
  const numbers = node.children.filter((child) => child.name === "Number");
  const from = node.attributes.callerId ?? parent.from;
  const ringSeconds = Math.min(600, Math.max(5, numberOr(node.attributes.timeout, 30)));
  const targets: TwimlNode[] =
    numbers.length > 0 ? numbers : [{ name: "Number", attributes: {}, text: node.text, children: [] }];
  return targets.map((number) => ({
    to: toE164(number.text),
    from,
    ringSeconds,
    document: targetOf(number, "url", "method", parent.baseUrl),
    callback: callbackOf(number, parent.baseUrl),
    machineDetection: detectionOf(number, parent.baseUrl),
  }));
}

/** A caller id is the call's own From or To, or a number of the account; otherwise Twilio fails the Dial (13214). */
export function mayShowCallerId(callerId: string, parent: Leg): boolean {
  const number = toE164(callerId);
  return number !== null && [SYSTEM_NUMBER, parent.from, parent.to].includes(number);
}

function callbackOf(number: TwimlNode, base: string | null): Leg["callback"] {
  const target = targetOf(number, "statusCallback", "statusCallbackMethod", base);
  if (!target) return null;
  return { ...target, events: eventsOf(listOf(number.attributes.statusCallbackEvent, "completed")) };
}

function detectionOf(number: TwimlNode, base: string | null): Leg["machineDetection"] {
  const mode = number.attributes.machineDetection;
  if (mode !== "Enable" && mode !== "DetectMessageEnd") return null;
  const url = number.attributes.amdStatusCallback;
  const method = methodOf(number.attributes.amdStatusCallbackMethod);
  return { mode, async: true, callback: url ? { url: resolveUrl(url, base), method } : null };
}

export function eventsOf(names: string[]): CallEvent[] {
  return EVENTS.filter((event) => names.includes(event));
}

export function listOf(text: string | undefined, fallback: string): string[] {
  return (text ?? fallback).split(/[\s,]+/).filter(Boolean);
}
