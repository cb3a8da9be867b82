import { fullName } from "../gohighlevel/contact-views.ts";
import type { Sandbox } from "../sandbox.ts";
import { isEnded, type Leg, phoneOf, type Utterance } from "../twilio/leg.ts";
import type { Phone, Phones } from "../twilio/phones.ts";
import type { SmsRow } from "../twilio/sms.ts";

const RECENT = 20;
/** How many of the last utterances of a long call with an automated system a phone shows. */
const LAST_HEARD = 12;
const THREADS = 12;
const TEXTS_OF_THREAD = 40;

/** A leg for the control API and the phones page. */
export function presentLeg(leg: Leg) {
  return {
    sid: leg.sid,
    parentSid: leg.parentSid,
    role: leg.person,
    direction: leg.direction,
    number: phoneOf(leg),
    from: leg.from,
    status: leg.status,
    activity: leg.activity,
    createdAt: new Date(leg.createdAt).toISOString(),
    startedAt: leg.startedAt === null ? null : new Date(leg.startedAt).toISOString(),
    endedAt: leg.endedAt === null ? null : new Date(leg.endedAt).toISOString(),
    durationSeconds: leg.durationSeconds,
    answeredBy: leg.answeredBy,
    heard: leg.transcript.map(wordsOf),
    transcript: leg.transcript.map((said) => ({ ...said, at: new Date(said.at).toISOString() })),
    pressed: leg.pressed,
    keys: keysOf(leg),
    dials: leg.dials,
    warnings: leg.warnings,
    optedOut: leg.optedOut,
    bridged: leg.bridged,
  };
}

/** The spoken text; a sound or tone is preceded by a note symbol. */
function wordsOf({ kind, text }: Utterance): string {
  return kind === "say" ? text : `♪ ${text}`;
}

/** Effect of keys on this phone now: they answer a Gather, or the star ends the Dial; null if they have none. */
function keysOf({ gather, dial }: Leg): "gather" | "star" | null {
  if (gather) return "gather";
  return dial?.hangupOnStar ? "star" : null;
}

/** An SMS for the control API and the phones page. */
export function presentSms(text: SmsRow) {
  return {
    sid: text.sid,
    direction: text.direction,
    from: text.from,
    to: text.to,
    body: text.body,
    status: text.status,
    errorCode: text.errorCode,
    segments: text.segments,
    automatic: text.automatic,
    createdAt: new Date(text.createdAt).toISOString(),
  };
}

export function presentPhone(phones: Phones, phone: Phone) {
  return {
    ...phone,
    behaviour: phones.behaviourOf(phone.number),
    overridden: phone.behaviour !== undefined,
    actsAlone: phones.actsAlone(phone.number),
  };
}

/** The whole state of the phones page. */
export function presentPhones(sandbox: Sandbox) {
  const { phones, engine, clock, crm } = sandbox;
  const nameOf = (number: string): string | null => {
    const contact = crm.contacts.findByPhone(number);
    return (contact && fullName(contact).trim()) || (sandbox.names.get(number) ?? null);
  };
  const legs = engine.exchange.legs.values();
  const withPhone = (leg: Leg) => ({
    ...presentLeg({ ...leg, transcript: leg.transcript.slice(-LAST_HEARD) }),
    heardBefore: Math.max(0, leg.transcript.length - LAST_HEARD),
    label: phones.get(phoneOf(leg))?.label ?? nameOf(phoneOf(leg)),
    actsAlone: phones.actsAlone(phoneOf(leg)),
    behaviour: phones.behaviourOf(phoneOf(leg)),
  });
  return {
    auto: phones.auto,
    speed: clock.speed,
    calendarApi: sandbox.google.apiEnabled,
    phones: phones.list().map((phone) => presentPhone(phones, phone)),
    live: legs.filter((leg) => !isEnded(leg)).map(withPhone),
    threads: threadsOf(sandbox, nameOf),
    recent: legs.filter(isEnded).slice(-RECENT).reverse().map(withPhone),
  };
}

/** The SMS of each number, the number with the newest SMS first. */
function threadsOf({ texts, phones }: Sandbox, nameOf: (number: string) => string | null) {
  const byNumber = new Map<string, SmsRow[]>();
  for (const text of texts.rows.values().reverse()) {
    const number = text.direction === "inbound" ? text.from : text.to;
    const thread = byNumber.get(number);
    if (thread && thread.length < TEXTS_OF_THREAD) thread.push(text);
    else if (!thread && byNumber.size < THREADS) byNumber.set(number, [text]);
  }
  return [...byNumber].map(([number, rows]) => ({
    number,
    label: phones.get(number)?.label ?? nameOf(number),
    optedOut: texts.hasOptedOut(number),
    texts: rows.reverse().map(presentSms),
  }));
}
