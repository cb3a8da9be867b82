import { addAudit, addEvent, pushToCrm, recordChange } from "./changes.ts";
import { minuteMs } from "./org-clock.ts";
import { answersToReplies, replies, say, stops } from "./phrases.ts";
import type { DemoSms, Lead, Person, Stranger, World } from "./world.ts";

/** Error codes of the provider for SMS to numbers with such a last digit. */
const failures: Record<string, number> = { 5: 30003, 6: 30005, 7: 30006 };
/** People write SMS between these hours of their day. */
const wakingMinutes = { from: 8 * 60, until: 21 * 60 };

function keep(world: World, text: Omit<DemoSms, "id" | "sid" | "dismissed">): DemoSms {
  const kept = { ...text, id: 0, sid: world.random.sid("SM"), dismissed: null };
  world.texts.push(kept);
  if (text.lead) recordChange(text.lead, text.at);
  return kept;
}

/** Whether an instant has passed, and is within the hours in which a lead sends and receives SMS. */
function isWaking({ clock }: World, lead: Lead, at: number): boolean {
  if (at > clock.now - 3 * minuteMs) return false;
  const minutes = clock.minutesIn(lead.area.zone, clock.dayOf(at), clock.minutesOf(at));
  return minutes >= wakingMinutes.from && minutes < wakingMinutes.until;
}

/** A consultant sends an SMS to a lead; some reply, and some of the replies get a reply. */
export function sendSms(
  world: World,
  {
    lead,
    rep,
    at,
    body,
    isAnswer = false,
  }: { lead: Lead; rep: Person; at: number; body: string; isAnswer?: boolean },
): void {
  const { random } = world;
  if (lead.stoppedAt !== null || lead.doNotDisturb || lead.unreachableByText || !isWaking(world, lead, at))
    return;
  const errorCode = failures[lead.phone.at(-1) ?? ""] ?? null;
  if (lead.phone.endsWith("8")) return;
  lead.unreachableByText = errorCode !== null;
  keep(world, {
    lead,
    author: rep,
    inbound: false,
    body: say(body, { name: lead.firstName, rep: rep.firstName }),
    status: errorCode === null ? "delivered" : "undelivered",
    errorCode,
    number: lead.phone,
    at,
    readAt: null,
  });
  if (errorCode !== null || isAnswer) return;
  if (random.chance(0.02)) optOutBySms(world, lead, at + random.int(2, 90) * minuteMs);
  else if (random.chance(0.42)) reply(world, lead, rep, at + random.int(3, 200) * minuteMs);
}

function reply(world: World, lead: Lead, rep: Person, at: number): void {
  const { random } = world;
  if (!isWaking(world, lead, at)) return;
  const seenAt = at + random.int(2, 25) * minuteMs;
  if (!isWaking(world, lead, seenAt + 2 * minuteMs)) return;
  receiveSms(world, lead, { at, body: random.pick(replies[lead.language]), readAt: seenAt });
  if (random.chance(0.65)) {
    const answer = random.pick(answersToReplies[lead.language]);
    sendSms(world, { lead, rep, at: seenAt + minuteMs, body: answer, isAnswer: true });
  }
}

export function receiveSms(
  world: World,
  lead: Lead,
  { at, body, readAt }: { at: number; body: string; readAt: number | null },
): void {
  lead.wrote = true;
  keep(world, {
    lead,
    author: null,
    inbound: true,
    body,
    status: "received",
    errorCode: null,
    number: lead.phone,
    at,
    readAt,
  });
}

/** The lead sends STOP: nobody sends SMS to the number any more. */
export function optOutBySms(world: World, lead: Lead, at: number): void {
  if (lead.stoppedAt !== null || !isWaking(world, lead, at)) return;
  receiveSms(world, lead, { at, body: world.random.pick(stops[lead.language]), readAt: at + 2 * minuteMs });
  lead.stoppedAt = at;
  lead.updatedAt = Math.max(lead.updatedAt, at);
  addEvent(world, { at, lead, by: null, kind: "opted-out", data: { channel: "text", by: "keyword" } });
  addAudit(world, {
    at,
    by: null,
    action: "text-opted-out",
    subject: `lead:${lead.id}`,
    data: { by: "keyword" },
  });
  pushToCrm(world, { at, lead, by: null, field: "textsBlocked", value: true });
}

/** An unknown person sends an SMS, which waits in the inbox until it is dismissed. */
export function strangerWrites(
  world: World,
  stranger: Stranger,
  text: Pick<DemoSms, "at" | "body" | "dismissed">,
): void {
  world.strangers.push(stranger);
  const received = {
    author: null,
    inbound: true,
    status: "received",
    errorCode: null,
    readAt: null,
  } as const;
  const { at, body, dismissed } = text;
  const kept = keep(world, { ...received, at, body, lead: null, number: stranger.phone });
  kept.dismissed = dismissed;
}
