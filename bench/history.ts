import type { Page } from "@playwright/test";
import type { PoolClient } from "pg";
import { root } from "../scripts/lib/environment.ts";
import { ensureBuilt } from "../scripts/start/build.ts";
import { startBenchDatabase } from "./lib/bench-database.ts";
import { type Scrolling, scrollDown, startBrowser } from "./lib/scroll.ts";
import { freePort, portalProcess, startService } from "./lib/service.ts";

const logs = 100_000;
const leads = 2_000;
const screens = 20;
const slowdown = 4;
const rounds = 3;
const goal = { longestMs: 200, mostRows: 80 };

/** A consultant with 100,000 calls of the last year: notes on a fourth, recordings on a half, a few inbound. */
async function seedHistory(connection: PoolClient, email: string): Promise<void> {
  // The rows are known to be right, and they are many.
  await connection.query("set session_replication_role = replica; set statement_timeout = 0");
  const { rows } = await connection.query<{ id: number }>("select id from users where email = $1", [email]);
  const userId = rows[0]?.id;
  await connection.query(
    `insert into leads (name, company, phone, phone_e164, search, assigned_to, assigned_at)
     select 'Valentina Ibáñez ' || n, 'Solar del Este ' || n, '+1787555' || lpad(n::text, 4, '0'),
       '+1787555' || lpad(n::text, 4, '0'), 'valentina ibanez ' || n, $1, now() from generate_series(1, $2::int) n`,
    [userId, leads],
  );
  await connection.query(
    `insert into call_logs (lead_id, user_id, outcome, confirmed, direction, call_type, call_date, duration_seconds, notes, search, call_sid)
     select (select min(id) from leads) + n % $2, $1, (array['answered', 'voicemail', 'busy', 'no_answer'])[n % 4 + 1], n % 9 <> 0,
       case when n % 7 = 0 then 'inbound' else 'outbound' end, case when n % 7 = 0 then 'inbound' else 'browser' end,
       now() - n * interval '5 minutes', n % 600, case when n % 4 = 0 then 'Call again at noon about the renewal offer, asks for ' || n end,
       case when n % 4 = 0 then 'call again at noon about the renewal offer, asks for ' || n else '' end, 'CA' || lpad(n::text, 32, '0')
     from generate_series(1, $3::int) n`,
    [userId, leads, logs],
  );
  await connection.query(
    `insert into recordings (recording_sid, call_sid, lead_id, user_id, status, duration_seconds, created_at)
     select 'RE' || lpad(n::text, 32, '0'), 'CA' || lpad(n::text, 32, '0'), (select min(id) from leads) + n % $2, $1, 'completed',
       n % 600, now() - n * interval '5 minutes' from generate_series(1, $3::int, 2) n`,
    [userId, leads, logs],
  );
  await connection.query("analyze leads, call_logs, recordings");
}

/** The least a page can do: rows of the same height with as much text, that are there from the start. */
function plainPage(): string {
  const rows = Array.from(
    { length: 400 },
    (_value, n) =>
      `<article style="height:9rem;margin:.6rem;border:1px solid #ccc;border-radius:.75rem;padding:1rem"><h3>Valentina Ibáñez ${n}</h3><p>Answered · Browser · Nov 20, 2026, 10:0${n % 10} AM · 1:14</p><p>Call again at noon about the renewal offer</p></article>`,
  );
  return `<!doctype html><title>Plain rows</title><body style="font-family:sans-serif">${rows.join("")}`;
}

async function scrollHistory(page: Page, url: string): Promise<Scrolling> {
  await page.goto(`${url}/call-history`);
  await page.getByRole("article").first().waitFor();
  await page.waitForLoadState("networkidle").catch(() => undefined);
  return scrollDown(page, { screens, slowdown, rows: "[role=list] [role=listitem]" });
}

async function scrollPlain(page: Page): Promise<Scrolling> {
  await page.setContent(plainPage());
  return scrollDown(page, { screens, slowdown, rows: "article" });
}

const line = (name: string, of: Scrolling[]) => {
  const tasks = of
    .map(({ longestMs, longTasks }) => (longestMs ? `${Math.round(longestMs)} (${longTasks})` : "< 50 (0)"))
    .join(", ");
  return `  ${name}  longest task ms (tasks over 50 ms): ${tasks}; most rows ${Math.max(...of.map(({ mostRows }) => mostRows))}`;
};

/**
 * 20 screens of the call history with 100,000 logs at a fourth of the processor's speed, against a plain page of static rows, in turns.
 * @returns whether no task was longer than 200 ms and never more than 80 rows were in the page
 */
export async function run(): Promise<boolean> {
  await ensureBuilt({ root, target: "web" });
  const { url: databaseUrl, database, stop } = await startBenchDatabase();
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  try {
    const portal = await startService({
      ...portalProcess,
      env: {
        DATABASE_URL: databaseUrl,
        PORT: String(port),
        PUBLIC_URL: url,
        // Nobody answers there: nothing is called.
        SANDBOX_PORT: String(sandboxPort),
        NODE_ENV: "test",
      },
      probe: `${url}/api/health`,
    });
    const connection = await database.pool.connect();
    await seedHistory(connection, "ana@portal.test");
    connection.release(true);
    const { browser, context } = await startBrowser();
    const history: Scrolling[] = [];
    const plain: Scrolling[] = [];
    try {
      const signedIn = await context.request.post(`${url}/api/login/local`, {
        data: { email: "ana@portal.test", password: "portal-demo" },
        headers: { origin: url },
      });
      if (!signedIn.ok()) throw new Error(`sign-in answered ${signedIn.status()}`);
      for (let round = 0; round < rounds; round += 1) {
        const page = await context.newPage();
        plain.push(await scrollPlain(page));
        history.push(await scrollHistory(page, url));
        await page.close();
      }
    } finally {
      await browser.close();
      await portal.stop();
    }
    const worst = Math.max(...history.map(({ longestMs }) => longestMs));
    const mostRows = Math.max(...history.map((each) => each.mostRows));
    process.stdout.write(
      [
        `call history, ${logs} logs, ${screens} screens at 1/${slowdown} of the processor, ${rounds} rounds`,
        line("portal", history),
        line("plain ", plain),
        `  goal    no task over ${goal.longestMs} ms, at most ${goal.mostRows} rows`,
        "",
      ].join("\n"),
    );
    return worst <= goal.longestMs && mostRows <= goal.mostRows;
  } finally {
    await stop();
  }
}
