import { newSid } from "../ids.ts";
import { type ChildPlan, childrenOf, dialOf, mayShowCallerId } from "./dial.ts";
import type { Exchange } from "./exchange.ts";
import { type Dialing, isEnded, type Leg, type Target } from "./leg.ts";
import { newLeg } from "./new-leg.ts";
import { callParams, recordingUrl } from "./params.ts";
import { finishRecording, missRecording, startRecording } from "./recordings.ts";
import type { TwimlNode } from "./twiml.ts";

/** What `<Dial>` and `<Record>` need from the engine that runs the leg's TwiML. */
export interface DialHost {
  exchange: Exchange;
  pickUp(leg: Leg): void;
  endLeg(leg: Leg, status: Leg["status"]): void;
  load(leg: Leg, target: Target, params: Record<string, string>): void;
  runNext(leg: Leg): void;
}

/** Starts the legs of a `<Dial>`. One that cannot start ends at once with status failed. */
export function startDial(host: DialHost, parent: Leg, node: TwimlNode): void {
  const { exchange } = host;
  parent.dial = dialOf(node, parent);
  parent.activity = "dialing";
  const plans = childrenOf(node, parent);
  const { callerIdVerified } = exchange.account.settings;
  const callerIdRefused = !callerIdVerified || plans.some((plan) => !mayShowCallerId(plan.from, parent));
  if (callerIdRefused) parent.warnings.push(`13214 Dial: invalid callerId ${node.attributes.callerId ?? ""}`);
  for (const plan of callerIdRefused ? [] : plans) {
    const refusal = plan.to === null ? null : exchange.account.refusalOf(plan.to);
    if (plan.to === null) parent.warnings.push("13224 Dial: invalid phone number");
    else if (refusal) parent.warnings.push(refusal.dial);
    else addChild(exchange, parent, { ...plan, to: plan.to });
  }
  exchange.save(parent);
  if (parent.dial.children.length === 0) finishDial(host, parent, null);
}

function addChild(exchange: Exchange, parent: Leg, plan: ChildPlan & { to: string }): void {
  const child = newLeg({
    ...plan,
    sid: newSid("CA"),
    parentSid: parent.sid,
    direction: "outbound-dial",
    person: parent.person === "caller" ? "rep" : "lead",
    timeLimitSeconds: 14_400,
    baseUrl: parent.baseUrl,
  });
  parent.dial?.children.push(child.sid);
  exchange.save(child);
  exchange.timers.set(child.sid, "dial", 200);
}

/** The leg whose running Dial `leg` is part of; none for a leg that was given its own TwiML. */
export function dialerOf(exchange: Exchange, leg: Leg): (Leg & { dial: Dialing }) | undefined {
  const parent = exchange.legs.get(leg.parentSid ?? "");
  return parent?.dial?.children.includes(leg.sid) ? (parent as Leg & { dial: Dialing }) : undefined;
}

/** The first child that answers is connected; the others stop ringing. */
export function childAnswered(host: DialHost, child: Leg): void {
  const parent = dialerOf(host.exchange, child);
  if (!parent) return;
  parent.dial.winner = child.sid;
  for (const sid of parent.dial.children) {
    const other = host.exchange.legs.get(sid);
    if (other && other !== child && !isEnded(other)) host.endLeg(other, "canceled");
  }
  host.exchange.save(parent);
}

/** Connects parent and child. */
export function bridge(host: DialHost, parent: Leg & { dial: Dialing }, child: Leg): void {
  const { exchange } = host;
  host.pickUp(parent);
  child.activity = "bridged";
  parent.activity = "bridged";
  child.bridged = true;
  parent.bridged = true;
  parent.dial.bridged = true;
  if (parent.dial.recording) {
    parent.dial.recordingSid = startRecording(exchange, parent.sid, parent.dial.recording);
  }
  exchange.timers.set(parent.sid, "dial-limit", parent.dial.timeLimitSeconds * 1_000);
  exchange.phoneConnected(parent.person === "caller" ? parent : child);
  exchange.phoneTalks(parent);
  exchange.save(child);
  exchange.save(parent);
}

/** A child leg has ended: so has its `<Dial>`, unless another leg still rings or talks. */
export function childEnded(host: DialHost, child: Leg): void {
  const parent = dialerOf(host.exchange, child);
  if (!parent) return;
  const { winner, children } = parent.dial;
  const othersLive = children.some((sid) => {
    const leg = host.exchange.legs.get(sid);
    return leg !== undefined && leg !== child && !isEnded(leg);
  });
  if (winner === child.sid || (winner === null && !othersLive)) finishDial(host, parent, child);
}

/** The REST API gave the child its own TwiML: its `<Dial>` ends, and the child continues without its parent. */
export function leaveDial(host: DialHost, child: Leg): void {
  const parent = dialerOf(host.exchange, child);
  if (!parent) return;
  host.exchange.phoneLeftAlone(child);
  finishDial(host, parent, child);
}

/** Ends a `<Dial>` whose parent is still live: requests the action URL, or continues after the verb. */
function finishDial(host: DialHost, parent: Leg, child: Leg | null): void {
  const dial = parent.dial;
  if (!dial) return;
  parent.dial = null;
  host.exchange.timers.clear(parent.sid, "dial-limit");
  const params = closeDial(host.exchange, parent, dial, child);
  if (dial.action) {
    parent.steps = [];
    host.load(parent, dial.action, params);
  } else {
    host.runNext(parent);
  }
}

/** The parent itself has ended or was redirected: its children end with it; `notify` still sends a request to the action URL. */
export function abandonDial(host: DialHost, parent: Leg, notify: boolean): void {
  const dial = parent.dial;
  if (!dial) return;
  parent.dial = null;
  host.exchange.timers.clear(parent.sid, "dial-limit");
  const children = dial.children.map((sid) => host.exchange.legs.get(sid)).filter((leg) => leg !== undefined);
  for (const child of children) {
    if (!isEnded(child)) host.endLeg(child, child.status === "in-progress" ? "completed" : "canceled");
  }
  const child = children.find((leg) => leg.sid === dial.winner) ?? children.at(-1) ?? null;
  const params = closeDial(host.exchange, parent, dial, child);
  if (notify && dial.action) host.exchange.outbox.post(parent.sid, dial.action, params);
}

/** Finishes the recording and returns the parameters of the action request. */
function closeDial(
  exchange: Exchange,
  parent: Leg,
  dial: Dialing,
  child: Leg | null,
): Record<string, string> {
  const params: Record<string, string> = {
    ...callParams(parent),
    DialCallStatus: child && isEnded(child) ? child.status : child ? "completed" : "failed",
    DialBridged: String(dial.bridged),
  };
  if (child) params.DialCallSid = child.sid;
  const seconds = child && (child.durationSeconds ?? secondsSince(exchange, child.answeredAt));
  if (seconds !== null) params.DialCallDuration = String(seconds);
  if (dial.recordingSid) {
    finishRecording(exchange, dial.recordingSid);
    params.RecordingUrl = recordingUrl(dial.recordingSid);
    params.RecordingSid = dial.recordingSid;
  } else if (dial.recording) {
    missRecording(exchange, parent.sid, dial.recording);
  }
  return params;
}

function secondsSince(exchange: Exchange, answeredAt: number | null): number | null {
  return answeredAt === null ? null : Math.max(1, Math.round((exchange.clock.now() - answeredAt) / 1_000));
}
