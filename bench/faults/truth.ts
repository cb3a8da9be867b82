import { resultsOfLead } from "../../apps/server/src/testing/line-truth.ts";
import type { SeenLeg as Leg } from "../../apps/server/src/testing/work-by-keys.ts";

/** An ended call in the portal. */
export interface PortalCall {
  id: number;
  leadId: number;
  callSid: string | null;
  state: string;
  result: string | null;
  durationSeconds: number | null;
  settled: boolean;
  logs: number;
}

/** A recording, at the provider or in the portal. */
export interface Recording {
  sid: string;
  callSid: string;
  status: string;
}

/** A recording in the portal, with the call and the lead to which it was assigned. */
export interface PortalRecording extends Recording {
  ownSid: string | null;
  ownLead: number | null;
  leadId: number | null;
}

/**
 * Results that the portal may show for a call, by the provider's own record; the first is the true one. There is a second only if a request
 * that alone distinguishes the two got no response from a killed portal, however often the provider sent it: Twilio's REST API contains
 * neither keys nor whether two legs were connected.
 */
function possibleResults(rep: Leg | undefined, lead: Leg | undefined): string[] {
  if (!rep) return ["failed"];
  const unanswered = rep.warnings.length > 0;
  if (!lead) {
    if (rep.status === "canceled") return ["canceled"];
    if (rep.status !== "completed") return ["rep_not_reached"];
    if (!rep.pressed.includes("1")) return ["not_confirmed"];
    // 1 was pressed, but the response that dials the lead was never sent: the portal may have recorded the key before it was killed.
    return unanswered ? ["canceled", "not_confirmed"] : ["canceled"];
  }
  return resultsOfLead(lead);
}

/** How many calls have the second of their possible results. */
export function countUnknowable(calls: PortalCall[], legs: Leg[]): number {
  const bySid = new Map(legs.map((leg) => [leg.sid, leg]));
  const byParent = new Map(legs.filter((leg) => leg.parentSid).map((leg) => [leg.parentSid, leg]));
  return calls.filter(
    ({ callSid, result }) =>
      possibleResults(bySid.get(callSid ?? ""), byParent.get(callSid)).indexOf(result ?? "") > 0,
  ).length;
}

/** All faults of the recordings; empty if each recording of the provider is known once, with its call and lead. */
export function findRecordingFaults(made: Recording[], known: PortalRecording[]): string[] {
  const bySid = Map.groupBy(known, ({ sid }) => sid);
  const sids = new Set(made.map(({ sid }) => sid));
  return [
    ...made.flatMap(({ sid, callSid, status }) => {
      const found = bySid.get(sid) ?? [];
      const [own] = found;
      if (!own) return status === "completed" ? [`recording ${sid}: lost`] : [];
      if (found.length > 1) return [`recording ${sid}: known ${found.length} times`];
      return [
        ...(own.status === status ? [] : [`recording ${sid}: ${own.status} in place of ${status}`]),
        ...(own.ownSid === callSid && own.ownLead === own.leadId
          ? []
          : [`recording ${sid}: given to another call`]),
      ];
    }),
    ...known.filter(({ sid }) => !sids.has(sid)).map(({ sid }) => `recording ${sid}: never made`),
  ];
}

/** All faults of these leads' calls; empty if every call has its true result. */
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
  const heard = rep?.transcript.map(({ text }) => text).join(" / ");
  const truth = `${rep?.status ?? "never placed"}, lead ${lead?.status ?? "never rung"}, keys '${rep?.pressed ?? ""}', heard '${heard ?? ""}'`;
  if (!possible.includes(call.result ?? ""))
    faults.push(`${name}: ${call.result} in place of ${possible[0]} (${truth})`);
  if (call.result === "answered" || call.result === "voicemail") {
    if (call.durationSeconds !== (lead?.durationSeconds ?? null)) {
      faults.push(`${name}: ${call.durationSeconds} s of talk in place of ${lead?.durationSeconds}`);
    }
  }
  const expected = lead && lead.status !== "canceled" ? 1 : 0;
  if (call.logs > 1 || call.logs < expected) faults.push(`${name}: ${call.logs} logs (${truth})`);
  return faults;
}
