import { callLead, callWithoutOutcome } from "./calling.ts";
import { addAudit, addEvent, setFollowUp } from "./changes.ts";
import { runSession } from "./dialing.ts";
import { answerCall } from "./inbound.ts";
import { makeCrmLeads, makeLead, numberSource } from "./leads.ts";
import { importFiles, leaveWaiting, signInMornings, syncMornings } from "./office.ts";
import { dayMs, minuteMs, OrgClock } from "./org-clock.ts";
import { strangerMessages, unreadTexts } from "./phrases.ts";
import { Random } from "./random.ts";
import { receiveSms, strangerWrites } from "./texting.ts";
import { deliverLeads } from "./webhooks.ts";
import type { Lead, Person, World } from "./world.ts";

const sixtyDays = 60;
/** The longest call and its outcome have ended by now. */
const quietMs = 30 * minuteMs;

/** Weights of calls by the hour of their start. */
const hours = { 9: 8, 10: 12, 11: 12, 12: 7, 13: 6, 14: 9, 15: 11, 16: 12, 17: 10, 18: 5 };
/** Numbers of a consultant's calls and of inbound calls, by the day of the week. */
const perDay = (weekday: number) => {
  if (weekday === 7) return { calls: 3, inbound: 1 };
  return weekday === 6 ? { calls: 9, inbound: 2 } : { calls: 29, inbound: 6 };
};

interface Slot {
  at: number;
  /** The caller; null for an inbound call. */
  rep: Person | null;
  /** Number of leads that the auto-dialer calls from then on; 0 for a manual call. */
  dialed: number;
}

/** Share of a consultant's working days on which the auto-dialer is used. */
const sessionDays = 0.3;

function slotsOf({ clock, random, reps }: World, days: number): Slot[] {
  const slots: Slot[] = [];
  for (let day = 1 - days; day <= 0; day += 1) {
    const { calls, inbound } = perDay(clock.weekday(day));
    const some = (rep: Person | null, count: number) => {
      const jittered = Math.round(count * (0.8 + random.next() * 0.4));
      for (let index = 0; index < jittered; index += 1) {
        const hour = Number(random.weighted(hours as Record<string, number>));
        const at = clock.at(day, hour * 60 + random.int(0, 59)) + random.int(0, 59) * 1_000;
        slots.push({ at, rep, dialed: 0 });
      }
    };
    for (const rep of reps) {
      // Calls of the auto-dialer replace manual ones.
      const dialed = clock.weekday(day) < 6 && random.chance(sessionDays) ? random.int(6, 11) : 0;
      if (dialed > 0) slots.push({ at: clock.at(day, random.int(10 * 60, 16 * 60)), rep, dialed });
      some(rep, calls - dialed);
    }
    some(null, inbound);
  }
  return slots.filter(({ at }) => at < clock.now - quietMs).sort((a, b) => a.at - b.at);
}

/** Between nine and eight on the clocks of the organization and of the lead. */
function isCallable(clock: OrgClock, lead: Pick<Lead, "area">, day: number, minutes: number): boolean {
  const local = clock.minutesIn(lead.area.zone, day, minutes);
  return [minutes, local].every((each) => each >= 9 * 60 && each < 20 * 60);
}

const isOpen = (lead: Lead) =>
  lead.status !== "converted" &&
  lead.status !== "not_interested" &&
  lead.numberFault === null &&
  lead.stoppedAt === null &&
  !lead.doNotDisturb;

/** The lead that a consultant calls next: one of those that have waited longest. */
function nextLead(
  { clock, random, leads }: World,
  rep: Person,
  at: number,
  passed?: Set<Lead>,
): Lead | undefined {
  const day = clock.dayOf(at);
  const minutes = clock.minutesOf(at);
  const due = leads
    .filter(
      (lead) =>
        lead.owner === rep &&
        lead.nextCallAt <= at &&
        lead.arrivedAt < at &&
        !passed?.has(lead) &&
        isOpen(lead) &&
        isCallable(clock, lead, day, minutes),
    )
    .sort((a, b) => b.nextCallAt - a.nextCallAt || a.id - b.id);
  // New leads and promised calls come first.
  return due.length > 0 ? random.pick(due.slice(0, 12)) : undefined;
}

function someoneCalls(world: World, at: number): void {
  const { clock, random, leads } = world;
  const day = clock.dayOf(at);
  const known = leads.filter(
    (lead) =>
      lead.lastActivityAt !== null &&
      lead.lastActivityAt < at - 5 * minuteMs &&
      lead.owner !== null &&
      lead.numberFault === null &&
      lead.stoppedAt === null &&
      /[0-4]$/.test(lead.phone) &&
      isCallable(clock, lead, day, clock.minutesOf(at)),
  );
  if (known.length === 0) return;
  const lead = random.pick(known);
  answerCall(world, { lead, from: lead.phone, at });
}

function liveThrough(world: World, days: number): void {
  const freeAt = new Map<Person | null, number>();
  for (const slot of slotsOf(world, days)) {
    const at = Math.max(slot.at, freeAt.get(slot.rep) ?? 0);
    if (!slot.rep) {
      someoneCalls(world, at);
      continue;
    }
    // A consultant who was busy for long skips this call.
    const isLate = at > slot.at + 15 * minuteMs || at > world.clock.now - quietMs;
    const { rep, dialed } = slot;
    if (dialed > 0) {
      // It ends well before now.
      const until = world.clock.now - 2 * quietMs;
      const next = (instant: number, passed: Set<Lead>) => nextLead(world, rep, instant, passed);
      if (at < until) freeAt.set(rep, runSession(world, { rep, at, leads: dialed, nextLead: next, until }));
      continue;
    }
    const lead = isLate ? undefined : nextLead(world, rep, at);
    if (lead) freeAt.set(rep, callLead(world, lead, rep, at));
  }
}

/** The last instant, at least so many minutes ago, at which a lead would call or write. */
function latestMoment({ clock }: World, lead: Pick<Lead, "area">, minutesAgo: number): number {
  let at = clock.now - minutesAgo * minuteMs;
  while (!isCallable(clock, lead, clock.dayOf(at), clock.minutesOf(at))) at -= 10 * minuteMs;
  return at;
}

/** Leads of a consultant who were reached before, and not contacted since an instant. */
function quietLeads(world: World, rep: Person, minutesAgo: number): Lead[] {
  return world.leads.filter(
    (lead) =>
      lead.owner === rep &&
      isOpen(lead) &&
      lead.conversations > 0 &&
      /[0-4]$/.test(lead.phone) &&
      (lead.lastActivityAt ?? 0) < latestMoment(world, lead, minutesAgo) - 60 * minuteMs,
  );
}

/** Leaves work to do: unread SMS, missed calls, follow-ups of today. */
function leaveWork(world: World): void {
  const { clock, random, reps } = world;
  for (const [index, rep] of reps.entries()) {
    const lead = random.pick(quietLeads(world, rep, 90));
    const body = random.pick(unreadTexts[lead.language]);
    receiveSms(world, lead, { at: latestMoment(world, lead, 22 + index * 19), body, readAt: null });
  }
  settleTheRest(world);
  for (const [index, result] of (["voicemail", "missed"] as const).entries()) {
    const lead = random.pick(quietLeads(world, reps[index] as Person, 160));
    answerCall(
      world,
      { lead, from: lead.phone, at: latestMoment(world, lead, 75 + index * 48) },
      { result, taken: null },
    );
  }
  for (const rep of reps) {
    const lead = random.pick(quietLeads(world, rep, 100));
    callWithoutOutcome(world, lead, rep, latestMoment(world, lead, 9));
    const leads = world.leads.filter(
      (other) =>
        other !== lead &&
        other.owner === rep &&
        other.followUpAt !== null &&
        isOpen(other) &&
        other.lastContactedAt !== null,
    );
    for (const due of leads.slice(-4)) {
      const at = (due.lastContactedAt ?? 0) + 2 * minuteMs;
      setFollowUp(world, due, clock.at(0, 9 * 60 + random.int(0, 34) * 15), rep, at);
    }
  }
}

/** SMS of unknown people: two wait in the inbox, one was dismissed some days ago. */
function strangersWrite(world: World, nextNumber: ReturnType<typeof numberSource>): void {
  const { clock, reps } = world;
  const stranger = (number: number) =>
    makeLead(world, { ...nextNumber(), createdAt: clock.now, fromCrm: false, number });
  const days = [-6, 0, 0];
  const bodies = [strangerMessages.dismissed, ...strangerMessages.waiting];
  for (const [index, body] of bodies.entries()) {
    const from = stranger(9_500 + index);
    const at = latestMoment(world, from, 47 + index * 61) + (days[index] ?? 0) * dayMs;
    const dismissed = index === 0 ? { at: at + 12 * minuteMs, by: reps[1] } : null;
    strangerWrites(world, from, { at, body, dismissed });
  }
}

/** Marks missed calls that were never returned as done. */
function settleTheRest(world: World): void {
  for (const call of world.inbound) {
    if (call.result === "answered" || call.settledAt !== null) continue;
    const by = call.lead?.owner ?? world.admin;
    call.settledAt = Math.min(call.endedAt + 90 * minuteMs, world.clock.now - 2 * minuteMs);
    call.settledBy = by;
    if (!call.lead) continue;
    const data = { inboundCallId: call.id };
    addEvent(world, { at: call.settledAt, lead: call.lead, by, kind: "missed-call-done", data });
  }
}

/**
 * Sixty days (or `days`) of an organization up to `now`, the same for the same seed, time and zone. Only meetings and follow-ups are in the
 * future; nobody is called outside the hours of their own clock.
 */
export function generateWorld(input: {
  seed: string;
  now: Date;
  timeZone: string;
  reps: World["reps"];
  admin: Person;
  days?: number | undefined;
}): World {
  const { seed, now, timeZone, reps, admin, days = sixtyDays } = input;
  const world: World = {
    random: new Random(seed),
    clock: new OrgClock(now, timeZone),
    reps,
    admin,
    leads: [],
    waiting: [],
    changedThere: new Map(),
    calls: [],
    inbound: [],
    texts: [],
    strangers: [],
    deliveries: [],
    sessions: [],
    meetings: [],
    clients: [],
    history: [],
    audit: [],
    changes: [],
    runs: [],
    imports: [],
  };
  const nextNumber = numberSource(world);
  makeCrmLeads(world, days, nextNumber);
  importFiles(world, nextNumber);
  deliverLeads(world, nextNumber);
  syncMornings(world, days);
  signInMornings(world, days);
  liveThrough(world, days);
  leaveWork(world);
  leaveWaiting(world, nextNumber);
  strangersWrite(world, nextNumber);
  finish(world);
  return world;
}

/** Assigns ids in the order of time, and adds the entries of timeline and audit log. */
function finish(world: World): void {
  const byTime = (a: { at: number }, b: { at: number }) => a.at - b.at;
  world.texts.sort(byTime);
  for (const [index, text] of world.texts.entries()) {
    text.id = index + 1;
    const { at, author, lead, dismissed } = text;
    if (dismissed) addAudit(world, { ...dismissed, action: "text-dismissed", subject: `message:${text.id}` });
    if (author && lead) {
      const data = { messageId: text.id };
      world.audit.push({ at, userId: author.id, action: "text-request", subject: `lead:${lead.id}`, data });
    }
  }
  world.deliveries.sort(byTime);
  for (const [index, delivery] of world.deliveries.entries()) delivery.id = index + 1;
  const logged = [...world.calls.filter(({ outcome }) => outcome !== null), ...world.inbound];
  for (const [index, call] of logged.sort(byTime).entries()) call.logId = index + 1;
  for (const call of world.calls) {
    const { confirmedAt: at, lead, rep, logId, outcome, notes, result } = call;
    if (at === null) continue;
    const data = {
      callLogId: logId,
      callId: call.id,
      before: { outcome: result, notes: null, confirmed: false },
      after: { outcome, notes, confirmed: true },
    };
    world.history.push({ at, lead, userId: rep.id, kind: "outcome-confirmed", data });
    const subject = `call-log:${logId}`;
    world.audit.push({ at, userId: rep.id, action: "call-outcome", subject, data });
  }
  world.history.sort(byTime);
  world.audit.sort(byTime);
  world.changes.sort(byTime);
}
