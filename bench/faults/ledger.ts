import type { Database } from "../../apps/server/src/platform/db/client.ts";

/** Kinds of writes, each with a unique mark. */
export type Kind =
  | "report"
  | "text"
  | "inbound text"
  | "meeting"
  | "client"
  | "imported row"
  | "delivered lead"
  | "contact";

/** Writes that the portal acknowledged. */
export interface Acknowledged {
  marks: Map<Kind, string[]>;
  /** When each of them was acknowledged. */
  at: Map<string, Date>;
  /** By lead and field, the values in the order of their acknowledgement. */
  changes: Map<string, string[]>;
}

const createdEvents = (company: string) =>
  `select l.company as mark, count(*)::int as n from leads l join lead_events e on e.lead_id = l.id and e.kind = 'created'
   where l.company like '${company} %' group by 1`;
const leadsOf = (company: string) =>
  `select company as mark, count(*)::int as n from leads where company like '${company} %' group by 1`;

/** Where each acknowledged write has to be found once; one that was not acknowledged exists at most once. */
const places: { kind: Kind; place: string; sql: string }[] = [
  {
    kind: "report",
    place: "in the call history",
    sql: "select notes as mark, count(*)::int as n from call_logs where notes like 'Report %' group by 1",
  },
  {
    kind: "text",
    place: "among the texts",
    sql: "select body as mark, count(*)::int as n from messages where direction = 'outbound' group by 1",
  },
  {
    kind: "text",
    place: "in the audit",
    sql: `select m.body as mark, count(*)::int as n from messages m
          join audit_log a on a.action = 'text-request' and a.data ->> 'messageId' = m.id::text group by 1`,
  },
  {
    kind: "inbound text",
    place: "among the texts",
    sql: "select body as mark, count(*)::int as n from messages where direction = 'inbound' group by 1",
  },
  {
    kind: "meeting",
    place: "in the calendar",
    sql: "select title as mark, count(*)::int as n from meetings group by 1",
  },
  {
    kind: "meeting",
    place: "on the timeline",
    sql: `select m.title as mark, count(*)::int as n from meetings m
          join lead_events e on e.kind = 'meeting-scheduled' and e.data ->> 'meetingId' = m.id::text group by 1`,
  },
  {
    kind: "client",
    place: "among the clients",
    sql: "select lead_id::text as mark, count(*)::int as n from clients group by 1",
  },
  {
    kind: "client",
    place: "on the timeline",
    sql: "select lead_id::text as mark, count(*)::int as n from lead_events where kind = 'converted' group by 1",
  },
  { kind: "imported row", place: "among the leads", sql: leadsOf("File") },
  { kind: "imported row", place: "on the timeline", sql: createdEvents("File") },
  { kind: "delivered lead", place: "among the leads", sql: leadsOf("Form") },
  { kind: "delivered lead", place: "on the timeline", sql: createdEvents("Form") },
  {
    kind: "contact",
    place: "among the leads",
    sql: "select ghl_contact_id as mark, count(*)::int as n from leads where ghl_contact_id is not null group by 1",
  },
  {
    kind: "contact",
    place: "on the timeline",
    sql: `select l.ghl_contact_id as mark, count(*)::int as n from leads l
          join lead_events e on e.lead_id = l.id and e.kind = 'created' where l.ghl_contact_id is not null group by 1`,
  },
];

export async function findMarkFaults({ pool }: Database, { marks, at }: Acknowledged): Promise<string[]> {
  const faults: string[] = [];
  const timeOf = (mark: string) => at.get(mark)?.toISOString().slice(11, 23);
  for (const { kind, place, sql } of places) {
    const { rows } = await pool.query<{ mark: string; n: number }>(sql);
    const found = new Map(rows.map(({ mark, n }) => [mark, n]));
    for (const mark of marks.get(kind) ?? [])
      if (!found.has(mark))
        faults.push(`lost: ${kind} "${mark}", acknowledged at ${timeOf(mark)}, is not ${place}`);
    for (const [mark, n] of found)
      if (n > 1) faults.push(`doubled: ${kind} "${mark}" is ${n} times ${place}`);
  }
  return faults;
}

/** Each change is on the timeline once and in order, and the lead has the last value. */
async function findChangeFaults({ pool }: Database, { changes }: Acknowledged): Promise<string[]> {
  const { rows } = await pool.query<{ place: string; recorded: string[]; now: string | null }>(
    `select t.lead_id || ' ' || t.field as place, t.recorded,
       case t.field when 'status' then l.status when 'notes' then l.notes
         else to_char(l.next_follow_up_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as now
     from (select lead_id, data ->> 'field' as field, array_agg(data ->> 'after' order by id) as recorded from lead_events
       where kind = 'changed' and data ->> 'field' in ('status', 'notes', 'nextFollowUpDate') group by 1, 2) t
     join leads l on l.id = t.lead_id`,
  );
  const found = new Map(rows.map((row) => [row.place, row]));
  const faults: string[] = [];
  for (const [place, values] of changes) {
    const { recorded = [], now = null } = found.get(place) ?? {};
    if (recorded.join("|") !== values.join("|"))
      faults.push(`changes of lead ${place}: ${recorded.join("|")} in place of ${values.join("|")}`);
    if (now !== values.at(-1)) faults.push(`lead ${place} is ${now} in place of ${values.at(-1)}`);
  }
  return faults;
}

/** Counts that have to be 0: metrics that differ from their rows, and unfinished work. */
const counts: Record<string, string> = {
  "leads whose attempts are not their calls": `select count(*) from leads l
     where attempts <> (select count(*) from call_logs c where c.lead_id = l.id and c.direction = 'outbound')`,
  "leads whose unread texts are not their texts": `select count(*) from leads l where unread_messages <>
     (select count(*) from messages m where m.lead_id = l.id and m.direction = 'inbound' and m.read_at is null)`,
  "imports that are not done": "select count(*) from imports where state <> 'done'",
  "imports whose figures are not their rows": `select count(*) from imports
     where imported + updated + skipped + errors <> total or position <> total`,
  "rows of imports that failed": "select count(*) from import_failures",
  "leads that imports counted and are not there": `select abs((select coalesce(sum(imported), 0) from imports)
     - (select count(*) from leads where company like 'File %'))`,
  "events that were not worked": "select count(*) from provider_events where processed_at is null",
  "events that were given up": "select count(*) from provider_events where attempts >= 20",
  "jobs that failed for good": "select count(*) from jobs.job where state = 'failed'",
  "texts without an end": "select count(*) from messages where status in ('requested', 'queued', 'sending')",
};

export async function findCountFaults({ pool }: Database): Promise<string[]> {
  const faults: string[] = [];
  for (const [what, sql] of Object.entries(counts)) {
    const { rows } = await pool.query<{ n: number }>(`select (${sql})::int as n`);
    if (rows[0]?.n !== 0) faults.push(`${rows[0]?.n} ${what}`);
  }
  return faults;
}

/** An SMS was sent by the provider once, or, if the portal says that it was never sent, not at all. */
async function findSendingFaults({ pool }: Database, sent: { body: string }[]): Promise<string[]> {
  const bodies = Map.groupBy(sent, ({ body }) => body);
  const { rows } = await pool.query<{ body: string; status: string }>(
    "select body, status from messages where direction = 'outbound'",
  );
  const known = new Set(rows.map(({ body }) => body));
  return [
    ...rows.flatMap(({ body, status }) => {
      const times = bodies.get(body)?.length ?? 0;
      const wanted = status === "failed" ? 0 : 1;
      return times === wanted ? [] : [`text "${body}" is ${status} and was sent ${times} times`];
    }),
    ...[...bodies.keys()].filter((body) => !known.has(body)).map((body) => `text "${body}" is nobody's`),
  ];
}

/** Compares the figures of the reports with a count of the rows. */
async function findReportFaults(
  { pool }: Database,
  report: Record<"totalCalls" | "leadsCreated" | "conversions", number>,
): Promise<string[]> {
  const { rows } = await pool.query<typeof report>(
    `select (select count(*)::int from call_logs) as "totalCalls", (select count(*)::int from leads) as "leadsCreated",
       (select count(*)::int from clients) as conversions`,
  );
  return Object.entries(rows[0] ?? {}).flatMap(([name, counted]) => {
    const reported = report[name as keyof typeof report];
    return reported === counted ? [] : [`reports say ${reported} ${name} in place of ${counted}`];
  });
}

/** All faults of the database's content, by the bench's own SQL; empty if each acknowledged write exists once. */
export async function findLedgerFaults(
  database: Database,
  known: {
    acknowledged: Acknowledged;
    /** The SMS of the provider. */
    sent: { body: string }[];
    report: Record<"totalCalls" | "leadsCreated" | "conversions", number>;
  },
): Promise<string[]> {
  return [
    ...(await findMarkFaults(database, known.acknowledged)),
    ...(await findChangeFaults(database, known.acknowledged)),
    ...(await findSendingFaults(database, known.sent)),
    ...(await findReportFaults(database, known.report)),
    ...(await findCountFaults(database)),
  ];
}
