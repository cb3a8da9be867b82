import type { CallLog } from "@portal/contract/entities/call";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { buildLead } from "../../../testing/factories.ts";
import { buildTestApp, type Client, type TestApp } from "../../../testing/test-app.ts";

vi.setConfig({ testTimeout: 30_000 });

let portal: TestApp;
beforeAll(async () => {
  portal = await buildTestApp({ env: { ORG_TIME_ZONE: "America/New_York" } });
});
afterAll(() => portal.close());

const pool = () => portal.deps.database.pool;

async function leadOf(rep: Client, rest: Parameters<typeof buildLead>[1] = {}) {
  return buildLead(portal.deps.database, { assignedTo: rep.user.id, ...rest });
}

/** A log created with the API, then changed as the test needs. */
async function logged(
  rep: Client,
  leadId: number,
  more: { outcome?: string; duration?: number; notes?: string | null; at?: string } = {},
): Promise<number> {
  const { at, ...rest } = more;
  const { status, body } = await rep.post("/api/call-logs", {
    leadId,
    duration: 60,
    outcome: "answered",
    notes: null,
    ...rest,
  });
  expect(status).toBe(200);
  // `at` is SQL for an instant.
  if (at) await pool().query(`update call_logs set call_date = ${at} where id = $1`, [body.id]);
  return body.id;
}

/** A missed call to the shared number. */
async function missedCall(rep: Client, leadId: number): Promise<{ logId: number; inboundId: number }> {
  const sid = `CA${String(Math.random()).slice(2).padEnd(32, "0").slice(0, 32)}`;
  const { rows: inbound } = await pool().query(
    `insert into inbound_calls (call_sid, from_number, lead_id, owner_id, stage, result, ended_at)
     values ($1, '+12125550123', $2, $3, 'ended', 'missed', now()) returning id`,
    [sid, leadId, rep.user.id],
  );
  const { rows: log } = await pool().query(
    `insert into call_logs (lead_id, user_id, confirmed, direction, inbound_call_id, call_type, duration_seconds, call_sid)
     values ($1, null, true, 'inbound', $2, 'inbound', 0, $3) returning id`,
    [leadId, inbound[0].id, sid],
  );
  return { logId: log[0].id, inboundId: inbound[0].id };
}

const ids = (logs: CallLog[]) => logs.map(({ id }) => id);
const history = async (rep: Client, query = "") =>
  (await rep.get(`/api/call-logs${query}`)).body as CallLog[];

describe("access to the call history", () => {
  it.each(["/api/call-logs/summary", "/api/call-logs/export?format=csv", "/api/phone-numbers"])(
    "requires a session for %s",
    async (path) => {
      expect((await portal.request("GET", path)).status).toBe(401);
    },
  );

  it("covers own calls and calls to own leads, once each; all for administrators", async () => {
    const [rep, other] = [await portal.signIn(), await portal.signIn()];
    const admin = await portal.signIn({ role: "admin" });
    const lead = await leadOf(rep);
    const moved = await leadOf(rep);
    const own = await logged(rep, lead.id);
    const before = await logged(rep, moved.id);
    await pool().query("update leads set assigned_to = $1 where id = $2", [other.user.id, moved.id]);
    const after = await logged(other, moved.id);

    expect(ids(await history(rep))).toEqual([before, own]);
    expect(ids(await history(other))).toEqual([after, before]);
    expect(ids(await history(admin))).toEqual(expect.arrayContaining([own, before, after]));
    expect((await rep.get("/api/call-logs/summary")).body.totalCalls).toBe(2);
    const file = await rep.get("/api/call-logs/export?format=json");
    expect(ids(file.body)).toEqual([before, own]);
  });
});

describe("the order of the call history", () => {
  it("is newest first, or oldest first, page by page", async () => {
    const rep = await portal.signIn();
    const lead = await leadOf(rep);
    const made: number[] = [];
    for (let n = 0; n < 3; n += 1) made.push(await logged(rep, lead.id));
    expect(ids(await history(rep, "?sort=oldest"))).toEqual(made);
    expect(ids(await history(rep, "?sort="))).toEqual(made.toReversed());
    const first = await rep.get("/api/call-logs?sort=oldest&limit=2");
    expect(ids(first.body)).toEqual(made.slice(0, 2));
    const cursor = String(first.headers["x-next-cursor"]);
    expect(ids(await history(rep, `?sort=oldest&limit=2&cursor=${cursor}`))).toEqual(made.slice(2));
    expect((await rep.get("/api/call-logs?sort=longest")).status).toBe(400);
  });
});

describe("the filters of the call history", () => {
  it("match notes without regard to case and accents, every word", async () => {
    const rep = await portal.signIn();
    const lead = await leadOf(rep);
    const wanted = await logged(rep, lead.id, { notes: "Llamará MAÑANA a las 10" });
    await logged(rep, lead.id, { notes: "Volver a llamar" });
    expect(ids(await history(rep, "?search=manana"))).toEqual([wanted]);
    expect(ids(await history(rep, "?search=10+LLAMAR%C3%81"))).toEqual([wanted]);
    expect(await history(rep, "?search=ma%25ana")).toEqual([]);
    expect(await history(rep, "?search=nada")).toEqual([]);
  });

  it("match notes that replaced others", async () => {
    const rep = await portal.signIn();
    const lead = await leadOf(rep);
    const id = await logged(rep, lead.id, { notes: "first words" });
    const sid = `CA${"7".repeat(32)}`;
    const { rows } = await pool().query(
      `insert into calls (lead_id, user_id, rep_number, rep_line, lead_number, press_one, state, call_sid, duration_seconds)
       values ($1, $2, '+13055550101', 'personal', '+12125550101', true, 'ended', $3, 9) returning id`,
      [lead.id, rep.user.id, sid],
    );
    await pool().query("update call_logs set call_id = $1, call_sid = $2 where id = $3", [
      rows[0].id,
      sid,
      id,
    ]);
    const body = { leadId: lead.id, duration: 9, outcome: "answered", notes: "Último", twilioCallSid: sid };
    expect((await rep.post("/api/call-logs", body)).body.id).toBe(id);
    expect(ids(await history(rep, "?search=ultimo"))).toEqual([id]);
    expect(await history(rep, "?search=first")).toEqual([]);
  });

  it("match an outcome; 'all' and an empty value match every one", async () => {
    const rep = await portal.signIn();
    const lead = await leadOf(rep);
    const busy = await logged(rep, lead.id, { outcome: "busy" });
    const answered = await logged(rep, lead.id);
    expect(ids(await history(rep, "?outcome=busy"))).toEqual([busy]);
    expect(ids(await history(rep, "?outcome=all&range=all&search="))).toEqual([answered, busy]);
    expect(ids(await history(rep, "?outcome=&range="))).toEqual([answered, busy]);
    const { logId } = await missedCall(rep, lead.id);
    expect(ids(await history(rep, "?outcome=none"))).toEqual([logId]);
    expect((await rep.get("/api/call-logs?outcome=sold")).status).toBe(400);
  });

  it("count today in the organization's zone, a week as 7 dates, a month as 30, and as many before up to the time of day", async () => {
    const rep = await portal.signIn();
    const lead = await leadOf(rep);
    const zone = "'America/New_York'";
    const daysAgo = (days: number, at: string) =>
      `(${at.replaceAll("now()", `(now() at time zone ${zone})`)} - interval '${days} days') at time zone ${zone}`;
    const midnight = (days: number) => daysAgo(days, "date_trunc('day', now())");
    const before = (at: string) => `${at} - interval '1 second'`;
    const log = (at: string) => logged(rep, lead.id, { at });
    const today = await log(midnight(0));
    const yesterday = await log(before(midnight(0)));
    const week = await log(midnight(6));
    const beforeWeek = await log(before(midnight(6)));
    const sameTime = await log(before(daysAgo(7, "now()")));
    const twoWeeks = await log(midnight(13));
    const beforeTwo = await log(before(midnight(13)));
    const month = await log(midnight(29));
    const older = await log(before(midnight(29)));
    expect(ids(await history(rep, "?range=today"))).toEqual([today]);
    expect(ids(await history(rep, "?range=week"))).toEqual([today, yesterday, week]);
    // The last second of that day is after the current time of day.
    expect(ids(await history(rep, "?range=previous-week"))).toEqual([sameTime, twoWeeks]);
    const ofMonth = [today, yesterday, week, beforeWeek, sameTime, twoWeeks, beforeTwo, month];
    expect(ids(await history(rep, "?range=month"))).toEqual(ofMonth);
    expect(ids(await history(rep, "?range=all"))).toEqual([...ofMonth, older]);
  });

  it("match a day, a weekday and an hour of the organization's clock, also around clock changes", async () => {
    const rep = await portal.signIn();
    const lead = await leadOf(rep);
    // In New York the clocks went back on Sunday, 1 November 2026: the day had 25 hours, and 1 o'clock occurred twice.
    const eve = await logged(rep, lead.id, { at: "'2026-11-01T03:59:59.999Z'" });
    const first = await logged(rep, lead.id, { at: "'2026-11-01T04:00:00Z'" });
    const one = await logged(rep, lead.id, { at: "'2026-11-01T05:30:00Z'" });
    const oneAgain = await logged(rep, lead.id, { at: "'2026-11-01T06:30:00Z'" });
    const last = await logged(rep, lead.id, { at: "'2026-11-02T04:59:59.999Z'" });
    const monday = await logged(rep, lead.id, { at: "'2026-11-02T05:00:00Z'" });
    expect(ids(await history(rep, "?day=2026-11-01"))).toEqual([last, oneAgain, one, first]);
    expect(ids(await history(rep, "?day=2026-10-31"))).toEqual([eve]);
    expect(ids(await history(rep, "?day=2026-10-26&until=2026-11-01"))).toEqual([
      last,
      oneAgain,
      one,
      first,
      eve,
    ]);
    expect(ids(await history(rep, "?day=2026-11-02&until=2026-11-08"))).toEqual([monday]);
    expect(ids(await history(rep, "?weekday=7&hour=1"))).toEqual([oneAgain, one]);
    expect(ids(await history(rep, "?weekday=1"))).toEqual([monday]);
    expect(ids(await history(rep, "?hour=23&outcome=all&weekday=&rep=&day=&until="))).toEqual([last, eve]);
    expect(ids(await history(rep, "?day=2026-10-31&hour="))).toEqual([eve]);
    expect((await rep.get("/api/call-logs/summary?day=2026-11-01&hour=0")).body.totalCalls).toBe(1);
    const file = await rep.get("/api/call-logs/export?format=json&day=2026-11-02");
    expect(ids(file.body)).toEqual([monday]);
    for (const wrong of [
      "day=2026-02-30",
      "day=0000-01-01",
      "until=0000-01-01",
      "weekday=0",
      "hour=24",
      "direction=up",
      "rep=x",
    ])
      expect((await rep.get(`/api/call-logs?${wrong}`)).status).toBe(400);
  });

  it("match a consultant's calls and a direction, within what the user may see", async () => {
    const [rep, other] = [await portal.signIn(), await portal.signIn()];
    const admin = await portal.signIn({ role: "admin" });
    const [lead, moved, theirs] = [await leadOf(rep), await leadOf(rep), await leadOf(other)];
    const own = await logged(rep, lead.id);
    const before = await logged(rep, moved.id);
    await pool().query("update leads set assigned_to = $1 where id = $2", [other.user.id, moved.id]);
    const hidden = await logged(other, theirs.id);
    const { logId } = await missedCall(rep, lead.id);
    expect(ids(await history(admin, `?rep=${other.user.id}`))).toEqual([hidden]);
    expect(ids(await history(other, `?rep=${rep.user.id}`))).toEqual([before]);
    expect(await history(rep, `?rep=${other.user.id}`)).toEqual([]);
    expect(ids(await history(rep, "?direction=inbound"))).toEqual([logId]);
    expect(ids(await history(rep, "?direction=outbound"))).toEqual([before, own]);
  });

  it("match missed calls until somebody calls back", async () => {
    const rep = await portal.signIn();
    const lead = await leadOf(rep);
    await logged(rep, lead.id);
    const { logId, inboundId } = await missedCall(rep, lead.id);
    expect(await history(rep, "?missed=true")).toMatchObject([
      { id: logId, missed: true, direction: "inbound" },
    ]);
    await pool().query("update inbound_calls set settled_at = now() where id = $1", [inboundId]);
    expect(await history(rep, "?missed=true")).toEqual([]);
    expect((await history(rep)).find(({ id }) => id === logId)?.missed).toBe(false);
  });

  it("apply to all pages, without gaps or repeats", async () => {
    const rep = await portal.signIn();
    const lead = await leadOf(rep);
    // Many at the same instant, so that only the id distinguishes them.
    await pool().query(
      `insert into call_logs (lead_id, user_id, outcome, confirmed, call_type, duration_seconds, call_date)
       select $1, $2, case when n % 2 = 0 then 'busy' else 'answered' end, true, 'browser', n,
         now() - (n / 10) * interval '1 hour' from generate_series(1, 47) n`,
      [lead.id, rep.user.id],
    );
    const all = ids(await history(rep, "?outcome=busy"));
    expect(all).toHaveLength(23);
    const seen: number[] = [];
    let cursor = "";
    do {
      const page = await rep.get(`/api/call-logs?outcome=busy&limit=5${cursor && `&cursor=${cursor}`}`);
      if (!cursor) expect(page.headers["x-total-count"]).toBe("23");
      seen.push(...ids(page.body));
      cursor = String(page.headers["x-next-cursor"] ?? "");
    } while (cursor);
    expect(seen).toEqual(all);
  });
});

describe("the summary of the call history", () => {
  it.each(["", "?outcome=answered", "?outcome=voicemail&range=week", "?search=renewal", "?range=today"])(
    "matches the rows of '%s'",
    async (query) => {
      const rep = await portal.signIn();
      const lead = await leadOf(rep);
      await pool().query(
        `insert into call_logs (lead_id, user_id, outcome, confirmed, call_type, duration_seconds, call_date, notes, search)
         select $1, $2, (array['answered', 'voicemail', 'busy', 'no_answer', 'completed', null])[n % 6 + 1], true, 'browser', n * 7,
           now() - n * interval '9 hours', 'x', case when n % 3 = 0 then 'renewal' else '' end
         from generate_series(0, 59) n`,
        [lead.id, rep.user.id],
      );
      const rows = await history(rep, query);
      expect(rows.length).toBeGreaterThan(0);
      expect((await rep.get(`/api/call-logs/summary${query}`)).body).toEqual({
        totalCalls: rows.length,
        answered: rows.filter(({ outcome }) => outcome === "answered").length,
        voicemails: rows.filter(({ outcome }) => outcome === "voicemail").length,
        totalSeconds: rows.reduce((sum, { duration }) => sum + duration, 0),
      });
    },
  );

  it("is zero without rows", async () => {
    const rep = await portal.signIn();
    expect((await rep.get("/api/call-logs/summary")).body).toEqual({
      totalCalls: 0,
      answered: 0,
      voicemails: 0,
      totalSeconds: 0,
    });
  });
});

describe("the export of the call history", () => {
  const header =
    "\uFEFFDate,Lead,Lead ID,Company,Outcome,Confirmed,Direction,Call type,Duration (seconds),Notes,Sales rep,Call SID,Recording SID,Caller number,Duration from,Call SID matched\r\n";

  it("is RFC 4180 with a byte order mark, under its own file name", async () => {
    const rep = await portal.signIn({ name: "Inés Duarte" });
    const lead = await leadOf(rep, { name: 'Marta "La" Peña', company: "Sol, S.A." });
    await logged(rep, lead.id, { notes: "one\ntwo", duration: 74, at: "'2026-03-01T10:00:00Z'" });
    const { status, headers, body } = await rep.get("/api/call-logs/export?format=csv");
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(headers["content-disposition"]).toBe('attachment; filename="call-history.csv"');
    expect(body).toBe(
      `${header}2026-03-01T10:00:00.000Z,"Marta ""La"" Peña",${lead.id},"Sol, S.A.",answered,yes,outbound,browser,74,"one\ntwo",Inés Duarte,,,,reported,\r\n`,
    );
  });

  it.each(["=1+1", "+1", "-2", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("http://x")'])(
    "escapes %j so that it is not a formula",
    async (hostile) => {
      const rep = await portal.signIn();
      const lead = await leadOf(rep, { name: hostile, company: hostile });
      await logged(rep, lead.id, { notes: `${hostile} and more` });
      await pool().query("update call_logs set notes = $1, call_type = $1 where lead_id = $2", [
        hostile,
        lead.id,
      ]);
      const { body } = await rep.get("/api/call-logs/export?format=csv");
      const guarded = `'${hostile}`;
      const cell = /["\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
      expect(body.split(cell)).toHaveLength(5);
      expect(body).not.toContain(`,${hostile}`);
    },
  );

  it("contains the rows that the filters show, also as JSON", async () => {
    const rep = await portal.signIn();
    const lead = await leadOf(rep);
    await logged(rep, lead.id, { outcome: "busy" });
    await logged(rep, lead.id, { notes: "renewal" });
    const file = await rep.get("/api/call-logs/export?format=json&search=renewal&outcome=all&range=week");
    expect(file.headers["content-disposition"]).toBe('attachment; filename="call-history.json"');
    expect(file.body).toEqual(await history(rep, "?search=renewal"));
    const csv = await rep.get("/api/call-logs/export?format=csv&outcome=busy");
    expect(csv.body.trimEnd().split("\r\n")).toHaveLength(2);
    const none = await rep.get("/api/call-logs/export?format=csv&search=nothing");
    expect(none.body).toBe(header);
  });

  it("is rejected without a known format", async () => {
    const rep = await portal.signIn();
    expect((await rep.get("/api/call-logs/export?format=xlsx")).status).toBe(400);
  });
});

describe("the shared numbers", () => {
  it("are the same for everyone", async () => {
    const rep = await portal.signIn();
    expect((await rep.get("/api/phone-numbers")).body).toEqual({
      systemNumber: "+12125550100",
      officeLine: "+12125550199",
      textsByService: false,
    });
  });
});
