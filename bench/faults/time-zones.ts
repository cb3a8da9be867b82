import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, expect as expectOf, type Page } from "@playwright/test";
import { buildLead, buildUser, type TestUser } from "../../apps/server/src/testing/factories.ts";
import { root } from "../../scripts/lib/environment.ts";
import { ensureBuilt } from "../../scripts/start/build.ts";
import { startBenchDatabase } from "../lib/bench-database.ts";
import { startBrowser, viewport } from "../lib/browser.ts";
import { type PortalOnSandbox, startPortalOnSandbox } from "../lib/portal-on-sandbox.ts";
import { print, seconds } from "../lib/print.ts";
import { signIn } from "./consultant.ts";

const zones = ["UTC", "America/Puerto_Rico", "America/New_York", "Europe/Madrid", "America/Mexico_City"];
/** Changes of the clocks in America and Europe, a year's last day, and a leap day, in ascending order. */
const days = ["2026-03-08", "2026-03-29", "2026-10-25", "2026-11-01", "2026-12-31", "2028-02-29"];
/** By the organization's clock. After the second, midnight passes before anything is read. */
const clockTimes = ["01:30:00", "23:59:58"];
const dayMs = 86_400_000;
const minuteMs = 60_000;
const library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";

const expect = expectOf.configure({ timeout: 30_000 });

/** The date of an instant in a zone, YYYY-MM-DD. */
const dateIn = (zone: string, at: Date | number) =>
  new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(at);

/** How many ms a zone's clock is ahead of UTC at an instant. */
function aheadMs(zone: string, at: number): number {
  const name = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" })
    .formatToParts(at)
    .find(({ type }) => type === "timeZoneName")?.value;
  const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(name ?? "") ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * minuteMs;
}

/** The first instant at which a zone's clock shows this date and time. */
function instantIn(zone: string, day: string, time: string): Date {
  const asUtc = Date.parse(`${day}T${time}Z`);
  const found = [asUtc - dayMs, asUtc + dayMs]
    .map((near) => asUtc - aheadMs(zone, near))
    .filter((at) => at + aheadMs(zone, at) === asUtc)
    .toSorted((a, b) => a - b);
  if (found[0] === undefined) throw new Error(`${day} ${time} does not exist in ${zone}`);
  return new Date(found[0]);
}

const addDays = (day: string, count: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * dayMs).toISOString().slice(0, 10);
const midnight = (zone: string, day: string) => instantIn(zone, day, "00:00:00");

interface Clock {
  now(): number;
  set(at: number): Promise<void>;
}

interface Place extends PortalOnSandbox {
  clock: Clock;
  /** The organization's zone. */
  zone: string;
  rep: TestUser;
  check(isFine: boolean, what: string): void;
}

/** Writes rows on both sides of every limit between days, weeks and months at this instant. */
async function addRows({ database, zone, rep }: Place, at: number): Promise<void> {
  const today = dateIn(zone, at);
  const start = (day: string) => midnight(zone, day).getTime();
  const dates = [today, addDays(today, 1 - 7), addDays(today, -7), `${today.slice(0, 7)}-01`];
  const past = [...dates.flatMap((day) => [start(day) - 1, start(day)]), at - 1_000].filter(
    (each) => each < at,
  );
  const { pool } = database;
  for (const each of past) {
    const date = new Date(each);
    const lead = await buildLead(database, { assignedTo: rep.id, lastContactedAt: date, createdAt: date });
    await pool.query(
      `insert into call_logs (lead_id, user_id, outcome, duration_seconds, call_date, direction, confirmed, call_type)
       values ($1, $2, 'answered', 10, $3, 'outbound', true, 'browser')`,
      [lead.id, rep.id, date],
    );
    const sold = await buildLead(database, {
      assignedTo: rep.id,
      status: "converted",
      convertedAt: date,
      createdAt: date,
    });
    await pool.query(
      "insert into clients (lead_id, converted_by, converted_at, conversion_value) values ($1, $2, $3, 100)",
      [sold.id, rep.id, date],
    );
  }
  for (const count of [0, 1, 8])
    for (const before of [0, 1]) {
      const nextFollowUpDate = new Date(start(addDays(today, count)) - before);
      await buildLead(database, { assignedTo: rep.id, nextFollowUpDate, createdAt: new Date(at - 1_000) });
    }
}

/** Compares every figure by day with a count of the rows by their dates in the organization's zone. */
async function checkFigures(place: Place, cookies: { rep: string; admin: string }): Promise<void> {
  const { url, database, zone, clock, check } = place;
  const now = clock.now();
  const [today, month] = [dateIn(zone, now), dateIn(zone, now).slice(0, 7)];
  const rowsOf = async <Row extends object>(sql: string) => (await database.pool.query<Row>(sql)).rows;
  const calls = await rowsOf<{ at: Date }>("select call_date as at from call_logs where confirmed");
  const leads = await rowsOf<{ contacted: Date | null; followUp: Date | null; status: string }>(
    `select last_contacted_at as contacted, next_follow_up_date as "followUp", status from leads`,
  );
  const clients = await rowsOf<{ at: Date }>("select converted_at as at from clients");
  const read = async <Answer>(path: string, cookie = cookies.rep) => {
    const answer = await fetch(url + path, { headers: { cookie } });
    if (!answer.ok) check(false, `${path} was answered ${answer.status}`);
    return (await answer.json()) as Answer;
  };
  const same = (what: string, shown: unknown, counted: unknown) =>
    check(
      JSON.stringify(shown) === JSON.stringify(counted),
      `${what}: shown ${JSON.stringify(shown)}, counted ${JSON.stringify(counted)}`,
    );

  const tiles = await read<{ contactedToday: number }>("/api/dashboard-stats");
  same(
    "contacted today",
    tiles.contactedToday,
    leads.filter(({ contacted }) => contacted && dateIn(zone, contacted) >= today).length,
  );

  const { counts } = await read<{ counts: object }>("/api/follow-ups");
  const groupOf = (day: string) => {
    if (day < today) return "overdue";
    if (day === today) return "today";
    return day <= addDays(today, 7) ? "week" : "later";
  };
  const groups = { overdue: 0, today: 0, week: 0, later: 0 };
  for (const { followUp, status } of leads)
    if (followUp && status !== "converted") groups[groupOf(dateIn(zone, followUp))] += 1;
  same("follow-ups", counts, groups);

  const sold = await read<{ thisMonth: number; monthStart: string }>("/api/clients/stats");
  same(
    "clients this month",
    [sold.monthStart, sold.thisMonth],
    [`${month}-01`, clients.filter(({ at }) => dateIn(zone, at).startsWith(month)).length],
  );

  for (const [who, cookie] of Object.entries(cookies)) {
    const { activity } = await read<{
      activity: { points: { day: string; calls: number; conversions: number }[] };
    }>("/api/reports/overview?range=week", cookie);
    same(
      `seven days of ${who}`,
      activity.points.map((point) => [point.day, point.calls, point.conversions]),
      Array.from({ length: 7 }, (_, n) => {
        const day = addDays(today, n - 6);
        const ofDay = (rows: { at: Date }[]) => rows.filter(({ at }) => dateIn(zone, at) === day).length;
        return [day, ofDay(calls), ofDay(clients)];
      }),
    );
  }
  const logs = await fetch(`${url}/api/call-logs?range=today&limit=1`, { headers: { cookie: cookies.rep } });
  same(
    "calls today",
    Number(logs.headers.get("x-total-count")),
    calls.filter(({ at }) => dateIn(zone, at) >= today).length,
  );
}

const formatIn = (zone: string, at: Date, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-US", { timeZone: zone, ...options }).format(at);

/** '10:15 AM' */
const timeIn = (zone: string, at: Date) => formatIn(zone, at, { hour: "numeric", minute: "2-digit" });
/** 'Mar 8, 2026' */
const shortDate = (zone: string, at: Date) =>
  formatIn(zone, at, { day: "numeric", month: "short", year: "numeric" });
/** 'Sunday, March 8' */
const dayName = (day: string) =>
  formatIn("UTC", new Date(`${day}T12:00:00Z`), { weekday: "long", month: "long", day: "numeric" });

/** Selects a day in the open calendar, today's month or the next. */
async function pickDay(page: Page, today: string, day: string): Promise<void> {
  const month = page.getByRole("dialog", { name: "Calendar" });
  if (day.slice(0, 7) !== today.slice(0, 7)) await month.getByRole("button", { name: "Next month" }).click();
  await month
    .getByRole("button", { name: dayName(day) })
    .first()
    .click();
}

/** What a person with a browser in this zone sees and saves: meetings by day and time, due follow-ups, and the instants that are stored. */
async function checkBrowser(
  place: Place,
  { browser, zone, cookie }: { browser: Browser; zone: string; cookie: string },
): Promise<void> {
  const { url, database, rep, clock, check } = place;
  const context = await browser.newContext({
    baseURL: url,
    timezoneId: zone,
    locale: "en-US",
    viewport,
    serviceWorkers: "block",
  });
  await context.addCookies(
    cookie.split("; ").map((each) => {
      const [name = "", value = ""] = each.split(/=(.*)/s);
      return { name, value, url };
    }),
  );
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  try {
    const now = clock.now();
    await page.clock.install({ time: now });
    const today = dateIn(zone, now);
    const [yesterday, tomorrow] = [addDays(today, -1), addDays(today, 1)];
    const word = `${zone} ${new Date(now).toISOString()}`;
    const meeting = async (title: string, start: Date) => {
      const body = {
        title,
        startTime: start.toISOString(),
        endTime: new Date(start.getTime() + 30 * minuteMs).toISOString(),
      };
      const answer = await page.request.post("/api/calendar/events", { data: body });
      check(answer.ok(), `a meeting was answered ${answer.status()}`);
    };
    // The evening's meeting ends on the next day.
    const [morning, evening] = [instantIn(zone, tomorrow, "09:30:00"), instantIn(zone, today, "23:45:00")];
    await meeting(`Morning ${word}`, morning);
    await meeting(`Evening ${word}`, evening);
    await page.goto("/calendar");
    const shown = async (title: string, heading: string, start: Date) => {
      const end = new Date(start.getTime() + 30 * minuteMs);
      const endDay = dateIn(zone, end) === dateIn(zone, start) ? "" : `${shortDate(zone, end)}, `;
      const section = page.getByRole("region", { name: heading, exact: true });
      const article = section.getByRole("article", { name: `${title} ${word}` });
      await expect(article).toContainText(`${timeIn(zone, start)} – ${endDay}${timeIn(zone, end)}`);
    };
    await shown("Evening", "Today", evening);
    await shown("Morning", "Tomorrow", morning);

    await page.getByRole("button", { name: "Schedule Meeting" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Schedule Meeting" });
    await dialog.getByLabel("Title").fill(`Saved ${word}`);
    await dialog.getByRole("button", { name: /^Date/ }).click();
    await pickDay(page, today, tomorrow);
    await dialog.getByLabel("Time").fill("10:15");
    await dialog.getByRole("button", { name: "Schedule Meeting" }).click();
    await expect(dialog).toBeHidden();
    const [saved] = (
      await database.pool.query<{ starts: Date; ends: Date }>(
        "select starts_at as starts, ends_at as ends from meetings where title = $1",
        [`Saved ${word}`],
      )
    ).rows;
    const start = instantIn(zone, tomorrow, "10:15:00");
    check(
      saved?.starts.getTime() === start.getTime() && saved.ends.getTime() === start.getTime() + 30 * minuteMs,
      `a meeting at 10:15 on ${tomorrow} was stored as ${saved?.starts.toISOString()}`,
    );

    const noon = (day: string) => instantIn(zone, day, "12:00:00");
    const due = await buildLead(database, {
      name: `Due ${word}`,
      assignedTo: rep.id,
      nextFollowUpDate: noon(today),
    });
    const late = await buildLead(database, {
      name: `Late ${word}`,
      assignedTo: rep.id,
      nextFollowUpDate: noon(yesterday),
    });
    await page.goto(`/?search=${encodeURIComponent(late.name)}`);
    await expect(
      page.getByText(`Follow-up overdue since ${shortDate(zone, noon(yesterday))}`).first(),
    ).toBeVisible();
    await page.goto(`/?search=${encodeURIComponent(due.name)}`);
    await expect(page.getByText("Follow-up today").first()).toBeVisible();
    await page
      .getByRole("button", { name: /^Update Status/ })
      .first()
      .click();
    const status = page.getByRole("dialog", { name: "Update Lead Status" });
    await status.getByRole("button", { name: /^Next Follow-up Date/ }).click();
    await pickDay(page, today, tomorrow);
    await status.getByRole("button", { name: "Update Lead" }).click();
    await expect(status).toBeHidden();
    const [stored] = (
      await database.pool.query<{ at: Date }>("select next_follow_up_date as at from leads where id = $1", [
        due.id,
      ])
    ).rows;
    check(
      stored?.at.getTime() === noon(tomorrow).getTime(),
      `a follow-up on ${tomorrow} was stored as ${stored?.at.toISOString()}`,
    );
  } catch (error) {
    const shown = await page
      .locator("main")
      .innerText()
      .catch(() => "");
    check(false, `${page.url()}: ${String(error).slice(0, 400)}\n${shown.slice(0, 600)}`);
  } finally {
    await context.close();
  }
}

/** A portal whose database, process and sandbox have a clock that this bench sets. */
async function startAtAnyTime(serverZone: string, zone: string, folder: string) {
  const [portalFile, databaseFile] = [join(folder, "portal"), join(folder, "database")];
  let offset = 0;
  const clock: Clock = {
    now: () => Date.now() + offset,
    async set(at) {
      offset = at - Date.now();
      writeFileSync(portalFile, String(offset));
      writeFileSync(databaseFile, `${offset < 0 ? "" : "+"}${(offset / 1_000).toFixed(3)}\n`);
      await sleep(200);
    },
  };
  await clock.set(instantIn(zone, days[0] ?? "", "00:00:00").getTime());
  const bench = await startPortalOnSandbox({
    speed: 20,
    callsPerSecond: 20,
    async startDatabase() {
      const database = await startBenchDatabase();
      await database.preload(library, {
        FAKETIME_TIMESTAMP_FILE: databaseFile,
        FAKETIME_NO_CACHE: "1",
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
      });
      return database;
    },
    env: { TZ: serverZone, ORG_TIME_ZONE: zone, CLOCK_FILE: portalFile },
    nodeOptions: ["--import", join(root, "bench/lib/clock.mjs")],
  });
  return { ...bench, clock };
}

/**
 * Each zone of the server with an organization in another one, at 01:30 and across midnight of days on which clocks change, of a year's end
 * and of a leap day, with browsers in two zones each time, all five in the end. @returns the figures, labels and stored instants that are wrong
 */
export async function timeZones(): Promise<string[]> {
  if (!existsSync(library)) return ["this case sets PostgreSQL's clock with libfaketime: install faketime"];
  await ensureBuilt({ root, target: "web" });
  const folder = mkdtempSync(join(tmpdir(), "portal-time-"));
  chmodSync(folder, 0o755);
  const faults: string[] = [];
  const { browser, context } = await startBrowser("http://127.0.0.1");
  await context.close();
  let checks = 0;
  try {
    for (const [index, serverZone] of zones.entries()) {
      const zone = zones[(index + 2) % zones.length] ?? "";
      const startedAt = performance.now();
      const bench = await startAtAnyTime(serverZone, zone, folder);
      try {
        const { url, database, clock } = bench;
        const admin = await buildUser(database, { role: "admin" });
        const rep = await buildUser(database);
        const moments = days.flatMap((day) => clockTimes.map((time) => ({ day, time })));
        for (const [moment, { day, time }] of moments.entries()) {
          const at = instantIn(zone, day, time).getTime();
          const phase = `server ${serverZone}, organization ${zone}, ${day} ${time}`;
          const place: Place = {
            ...bench,
            zone,
            rep,
            check(isFine, what) {
              checks += 1;
              if (isFine) return;
              faults.push(`${phase}: ${what}`);
              print(`${phase}: ${what}`);
            },
          };
          await clock.set(at - minuteMs);
          const cookies = { rep: await signIn(url, rep), admin: await signIn(url, admin) };
          const isMidnight = time === "23:59:58";
          const readAt = isMidnight ? midnight(zone, addDays(day, 1)).getTime() + 1_000 : at;
          await addRows(place, readAt);
          await clock.set(at);
          while (clock.now() < readAt) await sleep(50);
          await checkFigures(place, cookies);
          // Over all zones of the server each moment is seen twice by a browser of each zone.
          const seenFrom = zones.filter((_, n) => (n + index + moment) % zones.length < 2);
          for (const browserZone of seenFrom) {
            const before = place.check;
            const check = (isFine: boolean, what: string) =>
              before(isFine, `browser ${browserZone}: ${what}`);
            await checkBrowser({ ...place, check }, { browser, zone: browserZone, cookie: cookies.rep });
          }
        }
        if (!bench.portal.isRunning()) faults.push(`server ${serverZone}: it ended`);
      } finally {
        await bench.stop();
      }
      print(
        `server ${serverZone}, organization ${zone}: ${seconds(performance.now() - startedAt)} s, faults so far ${faults.length}`,
      );
    }
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
  print(`${checks} checks`);
  return faults;
}
