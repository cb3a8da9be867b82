import type { Database } from "../platform/db/client.ts";
import type { KeyWork, SeenLeg } from "./work-by-keys.ts";

/** A recording as the provider lists it. */
export interface MadeRecording {
  sid: string;
  callSid: string;
  status: string;
  startedAt: string;
}

interface KnownCall {
  id: number;
  leadId: number;
  leadNumber: string;
  callSid: string | null;
  lineSid: string | null;
  state: string;
  result: string | null;
  settled: boolean;
  seconds: number | null;
}

interface KnownLog {
  callId: number | null;
  outcome: string | null;
  confirmed: boolean;
  seconds: number;
}

/** The lead's part ends with the consultant's, within this. */
const aloneMs = 2_000;

/** The outcomes that a call may have by its lead's leg; the first is the exact one. */
export function resultsOfLead({ status, answeredBy }: SeenLeg): string[] {
  if (status === "busy") return ["busy"];
  if (status === "no-answer") return ["no_answer"];
  // Its code may have been lost on the way, and the REST API does not tell it.
  if (status === "failed") return ["disconnected", "not_connected"];
  // The REST API does not tell whether a phone rang before its leg was taken back.
  if (status === "canceled") return ["unclear", "canceled"];
  return answeredBy?.startsWith("machine") ? ["voicemail"] : ["answered"];
}

const milliseconds = (instant: string | null) => (instant ? Date.parse(instant) : Number.NaN);

/**
 * Everything that is wrong with sessions worked on open lines, by the provider's own record: empty where every lead was rung once, on one line of one
 * consultant, was never left alone, and has the call, the log and the outcome that were true.
 */
export async function findLineFaults(
  { pool }: Pick<Database, "pool">,
  {
    legs,
    work,
    recordings,
  }: {
    legs: SeenLeg[];
    /** By the consultant's phone. */
    work: Map<string, KeyWork>;
    recordings: MadeRecording[];
  },
): Promise<string[]> {
  const { rows: calls } = await pool.query<KnownCall>(
    `select c.id, c.lead_id as "leadId", c.lead_number as "leadNumber", c.call_sid as "callSid", l.call_sid as "lineSid", c.state, c.result,
       c.settled, c.duration_seconds as seconds from calls c left join lines l on l.id = c.line_id order by c.id`,
  );
  const { rows: logs } = await pool.query<KnownLog>(
    `select call_id as "callId", outcome, confirmed, duration_seconds as seconds from call_logs`,
  );
  const { rows: known } = await pool.query<{ sid: string; status: string; leadSid: string | null }>(
    `select r.recording_sid as sid, r.status, c.lead_call_sid as "leadSid" from recordings r left join calls c on c.id = r.call_id`,
  );
  const lines = legs.filter(({ number, parentSid }) => parentSid === null && work.has(number));
  const leads = legs.filter(({ parentSid }) => parentSid !== null);
  const bySid = new Map(legs.map((leg) => [leg.sid, leg]));
  const said = new Map([...work.values()].flatMap((one) => [...one.said]));
  const { rows: kept } = await pool.query<{ sid: string }>(
    "select call_sid as sid from lines where call_sid is not null",
  );
  const keptLines = new Set(kept.map(({ sid }) => sid));

  const ofLegs = leads.flatMap((leg) => {
    const name = `lead ${leg.number}`;
    const own = calls.filter(({ callSid }) => callSid === leg.sid);
    const [call] = own;
    const rep = bySid.get(leg.parentSid ?? "");
    const late = milliseconds(leg.endedAt) - milliseconds(rep?.endedAt ?? null);
    return [
      ...(leads.filter(({ number }) => number === leg.number).length > 1
        ? [`${name}: rung more than once`]
        : []),
      ...(own.length === 1 ? [] : [`${name}: ${own.length} calls know its leg`]),
      ...(late > aloneMs ? [`${name}: ended ${late} ms after the consultant`] : []),
      ...(call ? faultsOf(call, leg) : []),
    ];
  });

  function faultsOf(call: KnownCall, leg: SeenLeg): string[] {
    const name = `call ${call.id} (${leg.status}, ${leg.answeredBy}, bridged ${leg.bridged})`;
    const [log, ...more] = logs.filter(({ callId }) => callId === call.id);
    const truth = resultsOfLead(leg);
    const own = said.get(leg.number);
    const wanted = [own?.outcome, ...(own?.heard ? [] : [own?.before])].flatMap((outcome) =>
      outcome === "suggested" ? truth : outcome ? [outcome] : [],
    );
    const isTalk = call.result === "answered" || call.result === "voicemail";
    return [
      ...(call.state === "ended" && call.settled
        ? []
        : [`${name}: left as ${call.state}, settled ${call.settled}`]),
      ...(truth.includes(call.result ?? "") ? [] : [`${name}: ${call.result} in place of ${truth[0]}`]),
      ...(call.lineSid === leg.parentSid ? [] : [`${name}: on another line than its leg`]),
      ...(isTalk && call.seconds !== leg.durationSeconds
        ? [`${name}: ${call.seconds} s in place of ${leg.durationSeconds}`]
        : []),
      ...(log && more.length === 0 ? [] : [`${name}: ${log ? more.length + 1 : 0} logs`]),
      ...(log && log.seconds !== (call.seconds ?? 0) ? [`${name}: log of ${log.seconds} s`] : []),
      ...(log && (!log.confirmed || !wanted.includes(log.outcome ?? ""))
        ? [`${name}: ${log.outcome} (confirmed ${log.confirmed}) in place of ${wanted.join(" or ")} by key`]
        : []),
    ];
  }

  const ofLines = lines.flatMap((leg, index) => [
    ...(keptLines.has(leg.sid) ? [] : [`the line ${leg.sid} is nobody's`]),
    ...lines
      .slice(index + 1)
      .filter(
        (other) =>
          other.number === leg.number &&
          milliseconds(other.startedAt) < milliseconds(leg.endedAt) &&
          milliseconds(leg.startedAt) < milliseconds(other.endedAt),
      )
      .map(() => `${leg.number} had two lines at once`),
  ]);
  const ofCalls = calls
    .filter(({ callSid, state }) => state !== "ended" || (callSid !== null && !bySid.has(callSid)))
    .map(({ id, state }) => `call ${id}: ${state}, without a leg`);
  const ofRecordings = recordings.flatMap(({ sid, callSid, status, startedAt }) => {
    if (status !== "completed") return [];
    const [own, ...more] = known.filter((one) => one.sid === sid);
    if (!own || more.length > 0) return [`recording ${sid}: known ${own ? more.length + 1 : 0} times`];
    const leg = bySid.get(own.leadSid ?? "");
    const during =
      milliseconds(startedAt) + 1_000 > milliseconds(leg?.startedAt ?? null) &&
      milliseconds(startedAt) < milliseconds(leg?.endedAt ?? null) + 1_000;
    return leg?.parentSid === callSid && during ? [] : [`recording ${sid}: given to another call`];
  });
  return [...ofLegs, ...ofLines, ...ofCalls, ...ofRecordings];
}

/** What the call history's summary has to say of these leads' legs, whose outcomes were looked at before. */
export async function summaryOf({ pool }: Pick<Database, "pool">, legs: SeenLeg[]) {
  const leads = legs.filter(({ parentSid }) => parentSid !== null);
  const { rows } = await pool.query<{ outcome: string | null }>("select outcome from call_logs");
  const count = (outcome: string) => rows.filter((row) => row.outcome === outcome).length;
  return {
    totalCalls: leads.length,
    answered: count("answered"),
    voicemails: count("voicemail"),
    totalSeconds: leads.reduce(
      (sum, leg) => sum + (leg.status === "completed" ? (leg.durationSeconds ?? 0) : 0),
      0,
    ),
  };
}
