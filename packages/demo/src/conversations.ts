import { addAudit, addEvent, setFollowUp, setStatus } from "./changes.ts";
import { dayMs, minuteMs } from "./org-clock.ts";
import type { notes } from "./phrases.ts";
import { meetingTitles, messagesAfterTalk, notes as phrases, say } from "./phrases.ts";
import { optOutBySms, sendSms } from "./texting.ts";
import type { Call, Lead, Person, World } from "./world.ts";

type Turn = Exclude<keyof typeof notes, "voicemail" | "wrong_number">;

/** Weights of a conversation's effects on a lead. */
const turns: Record<"contacted" | "interested" | "qualified", Partial<Record<Turn, number>>> = {
  contacted: { contacted: 42, interested: 34, qualified: 6, not_interested: 18 },
  interested: { interested: 42, qualified: 36, not_interested: 14, contacted: 8 },
  qualified: { qualified: 48, converted: 40, not_interested: 12 },
};

/** After a conversation: status, follow-up, and sometimes a meeting, an SMS or a contract. Returns its effect. */
export function afterConversation(world: World, call: Pick<Call, "lead" | "rep" | "endedAt">): Turn {
  const { random } = world;
  const { lead, rep } = call;
  const at = call.endedAt + random.int(5, 40) * 1_000;
  if (lead.phone.endsWith("9")) {
    setStatus(world, lead, "not_interested", rep, at);
    optOutBySms(world, lead, call.endedAt + random.int(1, 5) * minuteMs);
    return "not_interested";
  }
  const stage = lead.status as keyof typeof turns;
  const turn = random.weighted<Turn>(turns[stage] ?? turns.contacted);
  if (turn === "converted") convert(world, lead, rep, at);
  else if (turn !== "contacted") setStatus(world, lead, turn, rep, at);
  if (turn === "converted" || turn === "not_interested") {
    setFollowUp(world, lead, null, rep, at + 1_000);
    return turn;
  }
  const followUpAt = nextAppointment(world, at);
  setFollowUp(world, lead, followUpAt, rep, at + 1_000);
  lead.nextCallAt = followUpAt;
  if (turn === "qualified" || (turn === "interested" && random.chance(0.25)))
    schedule(world, lead, rep, at + 20_000);
  if (random.chance(0.3))
    sendSms(world, {
      lead,
      rep,
      at: at + 3 * minuteMs,
      body: random.pick(messagesAfterTalk[lead.language]),
    });
  return turn;
}

/** A quarter hour of a working day, two to seven days ahead. */
export function nextAppointment({ clock, random }: World, at: number): number {
  const day = clock.workdayFrom(clock.dayOf(at) + random.int(2, 7));
  return clock.at(day, 9 * 60 + random.int(0, 34) * 15);
}

function convert(world: World, lead: Lead, rep: Person, at: number): void {
  const { random, clients } = world;
  const value = lead.dealValue ?? random.int(6, 60) * 100;
  const note = random.pick(phrases.converted[random.chance(0.5) ? "en" : "es"]);
  const data = { before: lead.status, conversionValue: value, notes: note };
  clients.push({ id: clients.length + 1, lead, by: rep, at, value, notes: note });
  addEvent(world, { at, lead, by: rep, kind: "converted", data });
  addAudit(world, { at, by: rep, action: "lead-converted", subject: `lead:${lead.id}`, data });
  Object.assign(lead, { convertedAt: at, conversionValue: value });
  lead.updatedAt = Math.max(lead.updatedAt, at);
  becomeClient(world, lead, rep, at, value);
}

/** The CRM gets status and value; the timeline has the conversion itself. */
function becomeClient(world: World, lead: Lead, rep: Person, at: number, value: number): void {
  lead.status = "converted";
  lead.pushedStatus = true;
  if (lead.contactId === null) return;
  const conversion = { value, at: new Date(at).toISOString() };
  for (const [field, after] of [["status", "converted"] as const, ["conversion", conversion] as const])
    world.changes.push({ at, lead, userId: rep.id, field, value: after });
  lead.crmUpdatedAt = Math.max(lead.crmUpdatedAt, at + 3_000);
}

/** Adds a meeting to the owner's calendar, if there is a free slot. */
function schedule(world: World, lead: Lead, owner: Person, at: number): void {
  const { random, clock, meetings } = world;
  const day = clock.workdayFrom(clock.dayOf(at) + random.int(1, 6));
  const startsAt = clock.at(day, 9 * 60 + random.int(0, 15) * 30);
  const endsAt = startsAt + random.pick([30, 30, 60]) * minuteMs;
  const isTaken = meetings.some(
    (other) => other.owner === owner && other.startsAt < endsAt && startsAt < other.endsAt,
  );
  const hasOne = meetings.some((other) => other.lead === lead && other.endsAt > at - 3 * dayMs);
  if (isTaken || hasOne) return;
  const title = say(random.pick(meetingTitles[lead.language]), { name: lead.firstName });
  const meeting = { id: meetings.length + 1, owner, lead, title, startsAt, endsAt, createdAt: at };
  meetings.push(meeting);
  const after = { startTime: new Date(startsAt).toISOString(), endTime: new Date(endsAt).toISOString() };
  const data = { meetingId: meeting.id, title, after };
  addEvent(world, { at, lead, by: owner, kind: "meeting-scheduled", data });
}
