import type { Client } from "pg";
import type { TestUser } from "../../apps/server/src/testing/factories.ts";
import { type Size, zone } from "./scale-data.ts";
import { signIn, startScalePortal } from "./scale-portal.ts";
import { median, type Row } from "./table.ts";

interface Reading {
  databaseUrl: string;
  client: Client;
  size: Size;
  admin: TestUser;
}

/** A report takes milliseconds, and a single one right after a long aggregate would mostly measure the state of the caches. */
const rounds = 5;
const asksInARow = 5;
const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;

/** Work that is repeated so often in each round. */
interface Turn {
  work: () => Promise<unknown>;
  times: number;
}

/** Milliseconds of each kind of work, as the median of rounds in turns; the first is not counted. */
async function inTurns(turns: Turn[], rounds: number): Promise<number[]> {
  const spent = turns.map((): number[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, { work, times }] of turns.entries()) {
      for (let time = 0; time < times; time += 1) {
        const startedAt = performance.now();
        await work();
        if (round > 0) spent[index]?.push(performance.now() - startedAt);
      }
    }
  }
  return spent.map(median);
}

/** Each report with its goal as a share of the raw aggregate over the rows. */
const reports = [
  {
    work: "overview report",
    path: "/api/reports/overview?range=all",
    goal: 0.6,
    raw: `select (call_date at time zone '${zone}')::date as day, outcome, count(*), sum(duration_seconds) from call_logs group by 1, 2`,
  },
  {
    work: "call analytics",
    path: "/api/analytics/call-data?range=all",
    goal: 0.25,
    raw: `select least(calls, 3) as often, count(*) from (select l.id, count(c.id) as calls from leads l
      left join call_logs c on c.lead_id = l.id and c.direction = 'outbound' group by l.id) each group by 1`,
  },
  {
    work: "all leads' figures",
    path: "/api/leads/all/stats",
    goal: 0.25,
    raw: "select count(*), count(assigned_to), count(*) filter (where status = 'converted') from leads",
  },
];
/** With five times the calls a report may take this many times as long. */
const growthGoal = 1.3;

/** Compares an administrator's reports with the raw aggregates, and with themselves at the previous size. */
export async function compareReports({
  databaseUrl,
  client,
  size,
  admin,
  known,
}: Reading & { known: Map<string, number> }): Promise<Row[]> {
  const { url, service } = await startScalePortal(databaseUrl);
  try {
    const headers = await signIn(url, admin);
    const rows: Row[] = [];
    for (const { work, path, goal, raw } of reports) {
      const ask = async () => {
        const answer = await fetch(`${url}${path}`, { headers });
        if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
        await answer.text();
      };
      const [ours = 0, theirs = 0] = await inTurns(
        [
          { work: ask, times: asksInARow },
          { work: () => client.query(raw), times: 1 },
        ],
        rounds,
      );
      const name = `${work} at ${size.calls.toLocaleString("en")} calls`;
      const row = (against: string, baseline: number, most: number): Row => ({
        work: `${name}, ${against}`,
        ours: ms(ours),
        baseline: ms(baseline),
        ratio: (ours / baseline).toFixed(2),
        goal: `≤ ${most}`,
        isMet: ours / baseline <= most,
      });
      rows.push(row("raw aggregate", theirs, goal));
      const before = known.get(work);
      if (before) rows.push(row("its own time before", before, growthGoal));
      known.set(work, ours);
    }
    return rows;
  } finally {
    await service.stop();
  }
}

const exportGoal = 2;
const memoryGoal = 100;

/**
 * Compares an export of all leads as CSV over HTTP with COPY of the same columns to the client; also reports the memory that the server
 * used meanwhile.
 */
export async function compareExport({ databaseUrl, client, size, admin }: Reading): Promise<Row> {
  const { url, service } = await startScalePortal(databaseUrl);
  try {
    const headers = await signIn(url, admin);
    const download = async () => {
      const answer = await fetch(`${url}/api/leads/export?format=csv`, { headers });
      let bytes = 0;
      for await (const chunk of answer.body ?? []) bytes += chunk.length;
      if (!answer.ok || bytes < size.leads * 100) throw new Error(`the export answered ${bytes} bytes`);
    };
    const copy = () =>
      client.query(
        `copy (select l.id, l.name, l.first_name, l.last_name, l.email, l.phone, l.company, l.industry, l.status, l.priority, l.lead_source,
           l.deal_value, l.notes, u.name, l.assigned_at, l.created_at, l.last_contacted_at, l.next_follow_up_date, l.converted_at, l.ghl_contact_id
         from leads l left join users u on u.id = l.assigned_to order by l.created_at desc nulls last, l.id desc nulls last)
         to stdout with (format csv, header true)`,
      );
    const restingMb = service.memoryMb();
    const [ours = 0, theirs = 0] = await inTurns(
      [
        { work: download, times: 1 },
        { work: copy, times: 1 },
      ],
      3,
    );
    const grownMb = Math.max(0, service.peakMemoryMb() - restingMb);
    return {
      work: `export of ${size.leads.toLocaleString("en")} leads as CSV, COPY; memory + ${grownMb.toFixed(0)} MB`,
      ours: ms(ours),
      baseline: ms(theirs),
      ratio: (ours / theirs).toFixed(2),
      goal: `≤ ${exportGoal}, + ≤ ${memoryGoal} MB`,
      isMet: ours / theirs <= exportGoal && grownMb <= memoryGoal,
    };
  } finally {
    await service.stop();
  }
}
