/** A call as the portal ended it. */
export interface PortalCall {
  id: number;
  leadId: number;
  callSid: string | null;
  state: string;
  result: string | null;
  talkSeconds: number | null;
  settled: boolean;
  logs: number;
}

/** A leg as the sandbox's own record shows it. */
export interface Leg {
  sid: string;
  parentSid: string | null;
  number: string;
  status: string;
  answeredBy: string | null;
  durationSeconds: number | null;
  bridged: boolean;
}

/** What the portal may say of a call, by the provider's own record; the first is the plain truth. */
function possibleResults(rep: Leg | undefined, lead: Leg | undefined): string[] {
  if (!rep) return ["failed", "canceled"];
  if (!lead) {
    if (rep.status === "canceled") return ["canceled"];
    // 1 may have been pressed and the request that says so lost with a killed server.
    return rep.status === "completed" ? ["not_confirmed", "canceled"] : ["rep_not_reached"];
  }
  if (lead.status === "busy") return ["busy"];
  if (lead.status === "no-answer") return ["no_answer"];
  if (lead.status === "failed") return ["disconnected"];
  if (lead.status === "canceled") return ["unclear", "canceled"];
  if (lead.answeredBy?.startsWith("machine")) return ["voicemail"];
  // Whether both were joined stands in one event alone; the REST API does not tell when that one is lost.
  return lead.bridged ? ["answered"] : ["unclear", "answered"];
}

/** Everything that is wrong with the calls of these leads; empty when every call is in its true result. */
export function findFaults(input: {
  leads: { id: number; phoneE164: string }[];
  calls: PortalCall[];
  legs: Leg[];
}): string[] {
  const { leads, calls, legs } = input;
  const bySid = new Map(legs.map((leg) => [leg.sid, leg]));
  const byParent = new Map(legs.filter((leg) => leg.parentSid).map((leg) => [leg.parentSid, leg]));
  const faults = leads.flatMap(({ id, phoneE164 }) => {
    const own = calls.filter((call) => call.leadId === id);
    const rung = legs.filter((leg) => leg.parentSid && leg.number === phoneE164).length;
    return [
      ...(own.length === 0 ? [`lead ${id}: its call is lost`] : []),
      ...(own.length > 1 ? [`lead ${id}: ${own.length} calls in the portal`] : []),
      ...(rung > 1 ? [`lead ${id}: its phone rang ${rung} times`] : []),
    ];
  });
  for (const call of calls) {
    const rep = bySid.get(call.callSid ?? "");
    faults.push(...faultsOf(call, rep, byParent.get(call.callSid)));
  }
  const known = new Set(calls.map(({ callSid }) => callSid));
  for (const leg of legs) {
    if (leg.parentSid === null && !known.has(leg.sid))
      faults.push(`the provider's call ${leg.sid} is nobody's`);
  }
  return faults;
}

function faultsOf(call: PortalCall, rep: Leg | undefined, lead: Leg | undefined): string[] {
  const name = `call ${call.id}`;
  if (call.state !== "ended") return [`${name}: stuck as ${call.state}`];
  if (!call.settled) return [`${name}: never settled`];
  const faults: string[] = [];
  const possible = possibleResults(rep, lead);
  const truth = `${rep?.status ?? "never placed"}, lead ${lead?.status ?? "never rung"}`;
  if (!possible.includes(call.result ?? ""))
    faults.push(`${name}: ${call.result} in place of ${possible[0]} (${truth})`);
  if (call.result === "answered" || call.result === "voicemail") {
    if (call.talkSeconds !== (lead?.durationSeconds ?? null)) {
      faults.push(`${name}: ${call.talkSeconds} s of talk in place of ${lead?.durationSeconds}`);
    }
  }
  const expected = lead && lead.status !== "canceled" ? 1 : 0;
  if (call.logs > 1 || call.logs < expected) faults.push(`${name}: ${call.logs} logs (${truth})`);
  return faults;
}
