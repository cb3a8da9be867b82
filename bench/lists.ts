import { parseArgs } from "node:util";
import type { Page } from "@playwright/test";
import { Client } from "pg";
import { root } from "../scripts/lib/environment.ts";
import { ensureBuilt } from "../scripts/start/build.ts";
import { startBenchDatabase } from "./lib/bench-database.ts";
import { startBrowser } from "./lib/browser.ts";
import { addPeople, fill } from "./lib/scale-data.ts";
import { startScalePortal } from "./lib/scale-portal.ts";
import { type Scrolling, scrollDown } from "./lib/scroll.ts";

const logs = 100_000;
const cards = 5_000;
const screens = 20;
const slowdown = 4;
const rounds = 3;
const goal = { longestMs: 200, mostRows: 80 };

/**
 * Adds a consultant's data to the organization's leads: 5,000 leads and 100,000 calls of the last year, a fourth with notes, half with
 * recordings, a few inbound.
 */
async function seedConsultant(url: string, userId: number): Promise<void> {
  const connection = new Client({ connectionString: url });
  await connection.connect();
  try {
    // The rows are known to be valid, and they are many.
    await connection.query("set session_replication_role = replica");
    const { rows } = await connection.query<{ first: number }>("select max(id) + 1 as first from leads");
    const first = rows[0]?.first;
    await connection.query(
      `insert into leads (id, name, company, phone, phone_e164, search, notes, assigned_to, assigned_at)
       select $1::int + n, 'Valentina Ibáñez ' || n, 'Solar del Este ' || n, '+1787555' || lpad(n::text, 4, '0'),
         '+1787555' || lpad(n::text, 4, '0'), 'valentina ibanez ' || n, case when n % 2 = 0 then 'Asked for an offer for the second building' end,
         $2::int, now() from generate_series(0, $3::int - 1) n`,
      [first, userId, cards],
    );
    await connection.query(
      `insert into call_logs (lead_id, user_id, outcome, confirmed, direction, call_type, call_date, duration_seconds, notes, search, call_sid)
       select $1::int + n % $3::int, $2::int, (array['answered', 'voicemail', 'busy', 'no_answer'])[n % 4 + 1], n % 9 <> 0,
         case when n % 7 = 0 then 'inbound' else 'outbound' end, case when n % 7 = 0 then 'inbound' else 'browser' end,
         now() - n * interval '5 minutes', n % 600, case when n % 4 = 0 then 'Call again at noon about the renewal offer, asks for ' || n end,
         case when n % 4 = 0 then 'call again at noon about the renewal offer, asks for ' || n else '' end, 'CA' || lpad(n::text, 32, '0')
       from generate_series(1, $4::int) n`,
      [first, userId, cards, logs],
    );
    await connection.query(
      `insert into recordings (recording_sid, call_sid, lead_id, user_id, status, duration_seconds, created_at)
       select 'RE' || lpad(n::text, 32, '0'), 'CA' || lpad(n::text, 32, '0'), $1::int + n % $3::int, $2::int, 'completed',
         n % 600, now() - n * interval '5 minutes' from generate_series(1, $4::int, 2) n`,
      [first, userId, cards, logs],
    );
    await connection.query("analyze leads, call_logs, recordings");
  } finally {
    await connection.end();
  }
}

/** The minimal page: static rows of the same height with as much text. */
function plainPage(): string {
  const rows = Array.from(
    { length: 400 },
    (_value, n) =>
      `<article style="height:9rem;margin:.6rem;border:1px solid #ccc;border-radius:.75rem;padding:1rem"><h3>Valentina Ibáñez ${n}</h3><p>Answered · Browser · Nov 20, 2026, 10:0${n % 10} AM · 1:14</p><p>Call again at noon about the renewal offer</p></article>`,
  );
  return `<!doctype html><title>Plain rows</title><body style="font-family:sans-serif">${rows.join("")}`;
}

/** The long lists: the page of each, and the selector of its rows. */
const lists = [
  { name: "All Leads", path: "/all-leads", rows: "[role=table] [role=row]" },
  { name: "My Assigned Leads", path: "/", rows: "main article" },
  { name: "Call History", path: "/call-history", rows: "[role=list] [role=listitem]" },
];

async function scrollList(page: Page, { path, rows }: { path: string; rows: string }): Promise<Scrolling> {
  await page.goto(path);
  await page.locator(rows).nth(3).waitFor();
  await page.waitForLoadState("networkidle").catch(() => undefined);
  return scrollDown(page, { screens, slowdown, rows });
}

async function scrollPlain(page: Page): Promise<Scrolling> {
  await page.setContent(plainPage());
  return scrollDown(page, { screens, slowdown, rows: "article" });
}

const line = (name: string, of: Scrolling[]) => {
  const tasks = of
    .map(({ longestMs, longTasks }) => (longestMs ? `${Math.round(longestMs)} (${longTasks})` : "< 50 (0)"))
    .join(", ");
  return `  ${name.padEnd(17)}  longest task ms (tasks over 50 ms): ${tasks}; most rows ${Math.max(...of.map(({ mostRows }) => mostRows))}\n`;
};

/**
 * 20 screens of the long lists at a fourth of the processor's speed, against a plain page of static rows, alternately: all leads of the
 * organization (1,000,000, or `--leads`), a consultant's 5,000 cards and 100,000 calls.
 * @returns whether no task was longer than 200 ms and there were never more than 80 rows on the page
 */
export async function run(options: string[]): Promise<boolean> {
  const { values } = parseArgs({ args: options, options: { leads: { type: "string", default: "1000000" } } });
  const leads = Number(values.leads);
  await ensureBuilt({ root, target: "web" });
  const { url: databaseUrl, database, stop } = await startBenchDatabase();
  try {
    const { consultant } = await addPeople(database);
    await fill(databaseUrl, { leads: 0, calls: 0 }, { leads, calls: 1_000 });
    await seedConsultant(databaseUrl, consultant.id);
    const { url, service } = await startScalePortal(databaseUrl);
    const { browser, context } = await startBrowser(url);
    const scrolled = new Map<string, Scrolling[]>();
    try {
      const signedIn = await context.request.post("/api/login/local", {
        data: { email: consultant.email, password: consultant.password },
        headers: { origin: url },
      });
      if (!signedIn.ok()) throw new Error(`sign-in answered ${signedIn.status()}`);
      for (let round = 0; round < rounds; round += 1) {
        const page = await context.newPage();
        for (const list of lists)
          scrolled.set(list.name, [...(scrolled.get(list.name) ?? []), await scrollList(page, list)]);
        scrolled.set("plain", [...(scrolled.get("plain") ?? []), await scrollPlain(page)]);
        await page.close();
      }
    } finally {
      await browser.close();
      await service.stop();
    }
    process.stdout.write(
      `lists with ${leads} leads, ${cards} cards, ${logs} calls; ${screens} screens at 1/${slowdown} of the processor, ${rounds} rounds\n`,
    );
    for (const [name, of] of scrolled) process.stdout.write(line(name, of));
    process.stdout.write(
      `  goal               no task over ${goal.longestMs} ms, at most ${goal.mostRows} rows\n`,
    );
    const ours = lists.flatMap(({ name }) => scrolled.get(name) ?? []);
    return ours.every(({ longestMs, mostRows }) => longestMs <= goal.longestMs && mostRows <= goal.mostRows);
  } finally {
    await stop();
  }
}
