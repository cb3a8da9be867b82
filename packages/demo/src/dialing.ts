import { callLead } from "./calling.ts";
import { addAudit } from "./changes.ts";
import { minuteMs } from "./org-clock.ts";
import type { DialerItem, DialerSession, Lead, Person, World } from "./world.ts";

/** Which lead a consultant calls next, and when a session has to end. */
interface Plan {
  rep: Person;
  at: number;
  /** Maximum number of called leads. */
  leads: number;
  nextLead: (at: number, passed: Set<Lead>) => Lead | undefined;
  until: number;
}

/** With fewer calls it is not a session. */
const fewestCalls = 3;

/**
 * A consultant lets the auto-dialer call one lead after the other, sometimes skipping one; one session in four is stopped before its end.
 * Returns when the consultant is free again.
 */
export function runSession(world: World, { rep, at: startedAt, leads, nextLead, until }: Plan): number {
  const { random } = world;
  const items: DialerItem[] = [];
  const passed = new Set<Lead>();
  const take = (at: number) => {
    const lead = nextLead(at, passed);
    if (lead) passed.add(lead);
    return lead;
  };
  let at = startedAt + 3_000;
  while (passed.size < leads && at < until) {
    const lead = take(at);
    if (!lead) break;
    if (random.chance(0.1)) {
      at += random.int(3, 8) * 1_000;
      items.push({ lead, state: "skipped", call: null, dialledAt: null, settledAt: at });
      continue;
    }
    const dialledAt = at;
    at = callLead(world, lead, rep, at);
    const call = world.calls.findLast((one) => one.lead === lead);
    // The consultant's own phone was not answered: the lead's never rang, and the session leaves the lead out.
    if (call?.confirmedAt) items.push({ lead, state: "done", call, dialledAt, settledAt: call.confirmedAt });
  }
  if (items.filter(({ call }) => call).length < fewestCalls) return at;
  const rest = random.chance(0.25) ? [take(at), take(at), take(at)] : [];
  for (const lead of rest)
    if (lead) items.push({ lead, state: "waiting", call: null, dialledAt: null, settledAt: null });
  keepSession(world, { rep, startedAt, endedAt: at, items });
  return at;
}

function keepSession(
  world: World,
  session: Pick<DialerSession, "rep" | "startedAt" | "endedAt" | "items">,
): void {
  const { sessions, random } = world;
  const id = sessions.length + 1;
  const position = session.items.filter(({ state }) => state !== "waiting").length;
  const isStopped = position < session.items.length;
  const closedAt = Math.min(session.endedAt + random.int(5, 90) * 1_000, world.clock.now - minuteMs);
  sessions.push({ ...session, id, position, status: isStopped ? "stopped" : "completed", closedAt });
  const data = {
    leads: session.items.length,
    source: "filter",
    order: "smart",
    includeTried: false,
    delaySeconds: 5,
  };
  const { startedAt: at, rep: by } = session;
  addAudit(world, { at, by, action: "dialer-start", subject: `dialer:${id}`, data });
}

/** A stored step of a session's machine. */
interface Step {
  position: number;
  kind: string;
  at: number;
  data: Record<string, unknown>;
}

/** The steps of a session as its machine would have taken them, in order. */
export function stepsOf({ items, startedAt, endedAt, status }: DialerSession): Step[] {
  const start = {
    leads: items.length,
    source: "filter",
    order: "smart",
    includeTried: false,
    delaySeconds: 5,
  };
  const worked = items.flatMap(({ state, call, dialledAt, settledAt }, position): Step[] => {
    if (settledAt === null) return [];
    if (!call || dialledAt === null || state === "skipped")
      return [
        { position, kind: "skip", at: settledAt, data: { position, outcomeKnown: false, now: settledAt } },
      ];
    const decision = { kind: "requested", callId: call.id };
    const facts = {
      callId: call.id,
      ended: true,
      result: call.result,
      leadReached: true,
      outcomeKnown: true,
      confirmed: true,
    };
    return [
      { position, kind: "decision", at: dialledAt, data: { position, decision, now: dialledAt } },
      { position, kind: "call", at: settledAt, data: { facts, now: settledAt } },
    ];
  });
  const end =
    status === "stopped"
      ? [{ position: worked.at(-1)?.position ?? 0, kind: "stop", at: endedAt, data: {} }]
      : [];
  return [{ position: 0, kind: "start", at: startedAt, data: start }, ...worked, ...end];
}
