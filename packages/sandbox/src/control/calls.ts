import type { FastifyInstance } from "fastify";
import { SYSTEM_NUMBER } from "../defaults.ts";
import { toE164 } from "../numbers.ts";
import type { Sandbox } from "../sandbox.ts";
import { isEnded, type Leg, phoneOf } from "../twilio/leg.ts";
import { BEHAVIOURS, type Behaviour, type PhoneScript } from "../twilio/phones.ts";
import { DELIVERY_ERRORS, REFUSALS, type SmsOutcome } from "../twilio/sms.ts";
import { bodyOf, ControlError, numberIn, textIn } from "./input.ts";
import { presentLeg, presentPhone } from "./views.ts";

/** Words that replace a withheld number in From; the other form is the number whose keys spell the word. */
const hiddenWords = /^(anonymous|restricted|unavailable|unknown|private)$/i;

type ByCall = { Params: { call: string } };

/** Controls the phones: starts inbound calls, answers, presses keys, hangs up, and sets how a number behaves. */
export function callControl(app: FastifyInstance, sandbox: Sandbox): void {
  const { engine, phones } = sandbox;

  app.get("/control/calls", async () => ({
    calls: engine.exchange.legs.values().reverse().map(presentLeg),
  }));

  app.get<ByCall>("/control/calls/:call", async ({ params }) => presentLeg(findLeg(sandbox, params.call)));

  app.post<ByCall>("/control/calls/:call/answer", async ({ params }) => {
    const leg = findLeg(sandbox, params.call);
    if (leg.status !== "ringing" || leg.person === "caller")
      throw new ControlError(`The call does not ring: ${leg.status}`, 409);
    engine.answer(leg);
    return presentLeg(leg);
  });

  app.post<ByCall>("/control/calls/:call/hangup", async ({ params }) => {
    const leg = findLeg(sandbox, params.call);
    if (isEnded(leg) || leg.status === "queued") {
      throw new ControlError(`There is nothing to hang up: ${leg.status}`, 409);
    }
    engine.hangUp(leg);
    return presentLeg(leg);
  });

  app.post<ByCall>("/control/calls/:call/press", async (request) => {
    const leg = findLeg(sandbox, request.params.call);
    const digits = textIn(bodyOf(request), "digits") ?? "";
    if (!/^[0-9*#]+$/.test(digits)) throw new ControlError("digits may hold 0 to 9, * and #");
    if (leg.status !== "in-progress") throw new ControlError(`Nobody listens: ${leg.status}`, 409);
    engine.press(leg, digits);
    return presentLeg(leg);
  });

  app.post("/control/inbound", async (request, reply) => {
    const body = bodyOf(request);
    const named = textIn(body, "from") ?? "";
    const from = hiddenWords.test(named) ? named : toE164(named);
    const to = toE164(textIn(body, "to") ?? SYSTEM_NUMBER);
    if (from === null) throw new ControlError("This is not a phone number");
    if (to === null || !sandbox.numbers.find(to))
      throw new ControlError("to must be a number of the account");
    if (!sandbox.numbers.find(to)?.voice) throw new ControlError("The system number has no VoiceUrl", 409);
    const says = textIn(body, "says") || null;
    return reply.code(201).send(presentLeg(engine.receive({ from, to, says })));
  });

  app.get("/control/phones", async () => ({
    auto: phones.auto,
    phones: phones.list().map((phone) => presentPhone(phones, phone)),
  }));

  app.post("/control/phones", async (request) => {
    const body = bodyOf(request);
    const number = toE164(textIn(body, "number") ?? "");
    if (number === null) throw new ControlError("number is not a phone number");
    const known = phones.get(number);
    const phone = { ...known, number, mode: modeOf(body.mode, known?.mode ?? "auto") };
    const label = textIn(body, "label");
    if (label !== undefined) phone.label = label;
    const behaviour = behaviourOf(body.behaviour);
    if (behaviour === null) delete phone.behaviour;
    else if (behaviour !== undefined) phone.behaviour = behaviour;
    const texts = textsOf(body.texts);
    if (texts === null) delete phone.texts;
    else if (texts !== undefined) phone.texts = texts;
    const sip = sipOf(body.sip);
    if (sip === null) delete phone.sip;
    else if (sip !== undefined) phone.sip = sip;
    const script = scriptOf(body.script);
    if (script === null) delete phone.script;
    else if (script !== undefined) phone.script = script;
    phones.set(phone);
    engine.resumePhones();
    sandbox.changed();
    return presentPhone(phones, phone);
  });

  app.post("/control/speech", async (request) => {
    engine.speech.msPerWord = numberIn(bodyOf(request), "msPerWord", engine.speech.msPerWord);
    return engine.speech;
  });

  app.post("/control/phones/auto", async (request) => {
    const { enabled } = bodyOf(request);
    if (typeof enabled !== "boolean") throw new ControlError("enabled must be true or false");
    phones.auto = enabled;
    engine.resumePhones();
    sandbox.changed();
    return { auto: phones.auto };
  });

  app.delete<{ Params: { number: string } }>("/control/phones/:number", async ({ params }) => {
    const removed = phones.delete(toE164(params.number) ?? params.number);
    engine.resumePhones();
    sandbox.changed();
    return { removed };
  });
}

/** A leg by its sid, or the newest live one of a phone number. Errors: `ControlError` 404. */
function findLeg(sandbox: Sandbox, call: string): Leg {
  const { legs } = sandbox.engine.exchange;
  const number = toE164(call);
  const leg = number
    ? legs.values().findLast((one) => phoneOf(one) === number && !isEnded(one))
    : legs.get(call);
  if (!leg) throw new ControlError(`No such call: ${call}`, 404);
  return leg;
}

function modeOf(mode: unknown, fallback: "auto" | "manual"): "auto" | "manual" {
  if (mode === undefined) return fallback;
  if (mode === "auto" || mode === "manual") return mode;
  throw new ControlError("mode must be auto or manual");
}

/** Undefined keeps the behaviour, null resets it to the rule of the last digit. */
function behaviourOf(behaviour: unknown): Behaviour | null | undefined {
  if (behaviour === undefined || behaviour === null) return behaviour;
  const known = BEHAVIOURS.find((one) => one === behaviour);
  if (known) return known;
  throw new ControlError(`behaviour must be one of ${BEHAVIOURS.join(", ")}`);
}

/** The SIP code with which calls to the number fail; undefined keeps it, null connects them again. */
function sipOf(sip: unknown): number | null | undefined {
  if (sip === undefined || sip === null) return sip;
  if (typeof sip === "number" && Number.isInteger(sip) && sip >= 400 && sip < 700) return sip;
  throw new ControlError("sip must be a code from 400 to 699, or null");
}

const SCRIPT_TIMES = ["answerAfter", "pressAfter", "starAfter", "talk", "hangUpAfter"] as const;

/** Automatic actions of the phone; undefined keeps them, null resets them to its rule. */
function scriptOf(given: unknown): PhoneScript | null | undefined {
  if (given === undefined || given === null) return given;
  if (typeof given !== "object") throw new ControlError("script must be an object, or null");
  const { press, ...times } = given as Record<string, unknown>;
  const unknown = Object.keys(times).find((name) => !SCRIPT_TIMES.some((known) => known === name));
  if (unknown) throw new ControlError(`script may hold press, ${SCRIPT_TIMES.join(", ")}`);
  const script: PhoneScript = {};
  for (const name of SCRIPT_TIMES) if (times[name] !== undefined) script[name] = numberIn(times, name, 0);
  if (press === undefined) return script;
  if (!Array.isArray(press) || !press.every((keys) => typeof keys === "string" && /^[0-9*#]*$/.test(keys)))
    throw new ControlError("script.press must be a list of keys: 0 to 9, * and #");
  return { ...script, press };
}

/** How SMS to the number end; undefined keeps it, null resets it to the rule of the last digit. */
function textsOf(texts: unknown): SmsOutcome | null | undefined {
  if (texts === undefined || texts === null || texts === "delivered" || texts === "sent") return texts;
  if (typeof texts === "number" && (REFUSALS.has(texts) || DELIVERY_ERRORS.has(texts))) return texts;
  const codes = [...REFUSALS.keys(), ...DELIVERY_ERRORS.keys()];
  throw new ControlError(`texts must be delivered, sent or one of ${codes.join(", ")}`);
}
