import { loggedOutcomes } from "@portal/contract/entities/call";
import { leadStatuses } from "@portal/contract/entities/lead";
import type { OverviewReport, ReportPeriod } from "@portal/contract/entities/report";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { storeMetrics } from "../../platform/db/metrics.ts";
import { query, sql } from "../../platform/db/query.ts";
import { midnightSql } from "../../platform/db/sql/filters.ts";
import { createRandomWork } from "../../testing/random-work.ts";
import { buildTestApp, type Client, type TestApp } from "../../testing/test-app.ts";
import { sumMetrics } from "./report-repository.ts";
import { chartActivity } from "./service.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** Midnight occurs twice there when daylight saving time ends. */
const timeZone = "America/Havana";
let portal: TestApp;
let admin: Client;
let rep: Client;
let other: Client;
beforeAll(async () => {
  portal = await buildTestApp({ env: { ORG_TIME_ZONE: timeZone } });
  admin = await portal.signIn({ role: "admin", name: "Zoe Admin" });
  rep = await portal.signIn({ name: "Ana" });
  other = await portal.signIn({ name: "Luis" });
});
afterAll(() => portal.close());

const pool = () => portal.deps.database.pool;
const ranges = ["week", "month", "all"] as const;
const answer = async (who: Client, path: string) => {
  const { status, body } = await who.get(path);
  expect(status, path).toBe(200);
  return body;
};

const clockFormat = new Intl.DateTimeFormat("en-CA", {
  timeZone,
  hourCycle: "h23",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
});

/** Day, weekday (1 is Monday) and hour of an instant, by the JavaScript calendar instead of PostgreSQL's. */
function clock(at: Date) {
  const parts = Object.fromEntries(clockFormat.formatToParts(at).map(({ type, value }) => [type, value]));
  const day = `${parts.year}-${parts.month}-${parts.day}`;
  return { day, hour: Number(parts.hour), weekday: new Date(`${day}T00:00Z`).getUTCDay() || 7 };
}

interface Lead {
  id: number;
  name: string;
  status: (typeof leadStatuses)[number];
  lead_source: string | null;
  assigned_to: number | null;
  created_at: Date;
}
interface Log {
  lead_id: number | null;
  user_id: number | null;
  outcome: (typeof loggedOutcomes)[number] | null;
  duration_seconds: number;
  reported_seconds: number | null;
  call_date: Date;
  direction: "outbound" | "inbound";
}

/** All rows that a user may see. */
async function rowsFor(who: Client) {
  const read = async <Row>(table: string) => (await pool().query(`select * from ${table}`)).rows as Row[];
  const leads = await read<Lead>("leads");
  const owners = new Map(leads.map(({ id, assigned_to }) => [id, assigned_to]));
  const all = who === admin;
  const me = who.user.id;
  const mine = (leadId: number | null) => all || (leadId !== null && owners.get(leadId) === me);
  type Message = {
    lead_id: number;
    user_id: number | null;
    direction: string;
    status: string;
    created_at: Date;
  };
  type Client = { lead_id: number; converted_by: number; converted_at: Date; conversion_value: string };
  const everyLog = await read<Log>("call_logs");
  const everyText = (await read<Message>("messages")).filter(
    ({ direction, status }) => direction === "inbound" || !["failed", "undelivered"].includes(status),
  );
  const everyClient = await read<Client>("clients");
  return {
    everyLog,
    everyText,
    everyClient,
    leads: leads.filter(({ id }) => mine(id)),
    logs: everyLog.filter((log) => mine(log.lead_id) || log.user_id === me),
    texts: everyText.filter((text) => mine(text.lead_id) || text.user_id === me),
    clients: everyClient.filter(({ lead_id }) => mine(lead_id)),
  };
}

/** The day `days` days before another. */
function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);
}

/** Whether an instant is in a report's period or in the preceding one, by its date in the JavaScript calendar. */
function partsOf({ range, to, previousTo }: ReportPeriod) {
  if (range === "all") return { now: () => true, before: () => false };
  const days = range === "week" ? 7 : 30;
  const first = daysBefore(clock(new Date(to)).day, days - 1);
  const last = daysBefore(first, 1);
  return {
    now: (at: Date) => clock(at).day >= first,
    before: (at: Date) => {
      const { day } = clock(at);
      if (day < daysBefore(first, days) || day >= first) return false;
      return day < last || at < new Date(previousTo ?? to);
    },
  };
}

const percent = (part: number, whole: number) => (whole === 0 ? null : (100 * part) / whole);
const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0);

/** A metric of a period and of the preceding one, computed by a function. */
function figure<Value>(period: ReportPeriod, of: (within: (at: Date) => boolean) => Value) {
  const parts = partsOf(period);
  return { value: of(parts.now), previous: period.from === null ? null : of(parts.before) };
}

async function expectReports(who: Client): Promise<void> {
  const { leads, logs, texts, clients, everyLog, everyText, everyClient } = await rowsFor(who);
  const callsIn = (within: (at: Date) => boolean) => logs.filter(({ call_date }) => within(call_date));
  const answeredIn = (within: (at: Date) => boolean) =>
    callsIn(within).filter(({ outcome }) => outcome === "answered");
  const talkIn = (within: (at: Date) => boolean) =>
    sum(callsIn(within).map(({ duration_seconds }) => duration_seconds));
  const createdIn = (within: (at: Date) => boolean) => leads.filter(({ created_at }) => within(created_at));
  const convertedIn = (within: (at: Date) => boolean) =>
    clients.filter(({ converted_at }) => within(converted_at));

  for (const range of ranges) {
    const report: OverviewReport = await answer(who, `/api/reports/overview?range=${range}`);
    const { period, activity } = report;
    const { now } = partsOf(period);
    const outcomes = [...loggedOutcomes, null].map((outcome) => ({
      outcome,
      calls: callsIn(now).filter((log) => log.outcome === outcome).length,
    }));
    const statuses = leadStatuses.map((status) => ({
      status,
      leads: createdIn(now).filter((lead) => lead.status === status).length,
    }));
    const rate = figure(period, (within) => percent(convertedIn(within).length, createdIn(within).length));
    const byCalls = (a: { calls: number }, b: { calls: number }) => b.calls - a.calls;
    expect(report).toEqual({
      period: { ...period, range, timeZone },
      totalCalls: figure(period, (within) => callsIn(within).length),
      answeredCalls: figure(period, (within) => answeredIn(within).length),
      conversionRate: rate,
      talkSeconds: figure(period, talkIn),
      conversions: convertedIn(now).length,
      leadsCreated: createdIn(now).length,
      statuses,
      outcomes: expect.arrayContaining(outcomes.filter(({ calls }) => calls > 0)),
      activity,
    });
    expect(report.outcomes).toEqual([...report.outcomes].sort(byCalls));

    const textsIn = texts.filter(({ created_at }) => now(created_at));
    const points = activity.points;
    expect(sum(points.map(({ calls }) => calls))).toBe(callsIn(now).length);
    expect(sum(points.map(({ answered }) => answered))).toBe(answeredIn(now).length);
    expect(sum(points.map(({ texts }) => texts))).toBe(textsIn.length);
    expect(sum(points.map(({ conversions }) => conversions))).toBe(convertedIn(now).length);
    if (range !== "all") {
      expect(activity.step).toBe("day");
      const on = (day: string, at: Date) => clock(at).day === day;
      expect(points).toEqual(
        points.map(({ day }) => ({
          day,
          calls: callsIn(now).filter(({ call_date }) => on(day, call_date)).length,
          answered: answeredIn(now).filter(({ call_date }) => on(day, call_date)).length,
          texts: textsIn.filter(({ created_at }) => on(day, created_at)).length,
          conversions: convertedIn(now).filter(({ converted_at }) => on(day, converted_at)).length,
        })),
      );
      expect(points).toHaveLength(range === "week" ? 7 : 30);
      expect(points.at(-1)?.day).toBe(clock(new Date(period.to)).day);
    }

    const calls = await answer(who, `/api/reports/calls?range=${range}`);
    const within = partsOf(calls.period).now;
    const hours = new Map<string, { weekday: number; hour: number; calls: number; answered: number }>();
    for (const { call_date, outcome } of callsIn(within)) {
      const { weekday, hour } = clock(call_date);
      const cell = hours.get(`${weekday} ${hour}`) ?? { weekday, hour, calls: 0, answered: 0 };
      hours.set(`${weekday} ${hour}`, cell);
      cell.calls += 1;
      if (outcome === "answered") cell.answered += 1;
    }
    expect(calls).toEqual({
      period: calls.period,
      totalCalls: report.totalCalls,
      answerRate: figure(calls.period, (part) => percent(answeredIn(part).length, callsIn(part).length)),
      talkSeconds: report.talkSeconds,
      averageTalkSeconds: figure(calls.period, (part) => {
        const timed = answeredIn(part).filter(({ reported_seconds }) => reported_seconds === null);
        const talks = timed.map(({ duration_seconds }) => duration_seconds);
        return talks.length === 0 ? null : sum(talks) / talks.length;
      }),
      outbound: callsIn(within).filter(({ direction }) => direction === "outbound").length,
      inbound: callsIn(within).filter(({ direction }) => direction === "inbound").length,
      outcomes: report.outcomes,
      hours: [...hours.values()].sort((a, b) => a.weekday - b.weekday || a.hour - b.hour),
    });

    const leadReport = await answer(who, `/api/reports/leads?range=${range}`);
    const created = createdIn(partsOf(leadReport.period).now);
    const clientIds = new Set(everyClient.map(({ lead_id }) => lead_id));
    const bySource = Map.groupBy(created, ({ lead_source }) => lead_source?.slice(0, 200) || null);
    const waits = created
      .flatMap(({ id, created_at }) => {
        const dates = everyLog
          .filter(({ lead_id, direction }) => lead_id === id && direction === "outbound")
          .map(({ call_date }) => call_date.getTime());
        return dates.length === 0 ? [] : [Math.max(0, (Math.min(...dates) - created_at.getTime()) / 1_000)];
      })
      .sort((a, b) => a - b);
    const middle = (waits.length - 1) / 2;
    const median = ((waits[Math.floor(middle)] ?? 0) + (waits[Math.ceil(middle)] ?? 0)) / 2;
    const band = (over: number, upTo: number) => waits.filter((wait) => wait > over && wait <= upTo).length;
    expect(leadReport).toEqual({
      period: leadReport.period,
      leadsCreated: figure(leadReport.period, (part) => createdIn(part).length),
      conversions: figure(leadReport.period, (part) => convertedIn(part).length),
      conversionRate: rate,
      statuses,
      sources: expect.arrayContaining(
        [...bySource].map(([source, of]) => ({
          source,
          leads: of.length,
          converted: of.filter(({ id }) => clientIds.has(id)).length,
        })),
      ),
      otherSources: 0,
      firstCall: {
        medianSeconds: waits.length === 0 ? null : expect.closeTo(median, 2),
        called: waits.length,
        neverCalled: created.length - waits.length,
        within: [
          { minutes: 5, leads: band(-1, 300) },
          { minutes: 60, leads: band(300, 3_600) },
          { minutes: 1_440, leads: band(3_600, 86_400) },
          { minutes: null, leads: band(86_400, Number.POSITIVE_INFINITY) },
        ],
      },
    });
    expect(leadReport.sources).toHaveLength(bySource.size);

    const performance = await answer(who, `/api/reports/performance?range=${range}`);
    const at = partsOf(performance.period).now;
    const people = who === admin ? [admin, rep, other] : [who];
    const rows = people.map(({ user }) => {
      const made = everyLog.filter(({ user_id, call_date }) => user_id === user.id && at(call_date));
      const sent = everyText.filter(
        (text) => text.user_id === user.id && text.direction === "outbound" && at(text.created_at),
      );
      const won = everyClient.filter((client) => client.converted_by === user.id && at(client.converted_at));
      return {
        userId: user.id,
        name: user.name,
        active: true,
        leads:
          who === admin ? leads.filter(({ assigned_to }) => assigned_to === user.id).length : leads.length,
        calls: made.length,
        answered: made.filter(({ outcome }) => outcome === "answered").length,
        talkSeconds: sum(made.map(({ duration_seconds }) => duration_seconds)),
        texts: sent.length,
        conversions: won.length,
        conversionValue: sum(won.map(({ conversion_value }) => Number(conversion_value))),
      };
    });
    expect(performance.consultants).toEqual(
      rows
        // An administrator is only listed with leads or activity.
        .filter(
          (row) => row.userId !== admin.user.id || row.leads + row.calls + row.texts + row.conversions > 0,
        )
        .sort((a, b) => b.calls - a.calls || a.name.localeCompare(b.name)),
    );
  }
}

async function expectAnalytics(who: Client): Promise<void> {
  const { leads, everyLog } = await rowsFor(who);
  const starts = {
    all: "",
    today: clock(new Date()).day,
    week: daysBefore(clock(new Date()).day, 6),
    month: daysBefore(clock(new Date()).day, 29),
  };
  for (const range of ["all", "today", "week", "month"] as const) {
    for (const status of ["all", "new", "converted"]) {
      const analytics = await answer(who, `/api/analytics/call-data?range=${range}&status=${status}`);
      const counts = leads
        .filter((lead) => status === "all" || lead.status === status)
        .map((lead) => {
          const dates = everyLog
            .filter(({ lead_id, direction }) => lead_id === lead.id && direction === "outbound")
            .map(({ call_date }) => call_date)
            .filter((at) => clock(at).day >= starts[range]);
          return { lead, calls: dates.length, last: Math.max(0, ...dates.map(Number)) };
        });
      const times = (n: number) => counts.filter(({ calls }) => calls === n).length;
      const of = ({ id, name, status }: Lead) => ({ leadId: id, leadName: name, leadStatus: status });
      expect(analytics).toEqual({
        totalLeads: counts.length,
        neverCalled: times(0),
        called1Time: times(1),
        called2Times: times(2),
        called3Times: counts.length - times(0) - times(1) - times(2),
        totalCalls: sum(counts.map(({ calls }) => calls)),
        detailedStats: {
          neverCalledLeads: counts
            // Clients need no first contact but are counted.
            .filter(({ lead, calls }) => calls === 0 && (status !== "all" || lead.status !== "converted"))
            .sort((a, b) => Number(b.lead.created_at) - Number(a.lead.created_at) || b.lead.id - a.lead.id)
            .slice(0, 10)
            .map(({ lead }) => of(lead)),
          callCountsByLead: counts
            .filter(({ calls }) => calls > 0)
            .sort((a, b) => b.calls - a.calls || b.last - a.last || b.lead.id - a.lead.id)
            .slice(0, 15)
            .map(({ lead, calls, last }) => ({
              ...of(lead),
              callCount: calls,
              lastCallDate: new Date(last).toISOString(),
            })),
        },
      });
    }
  }
}

const listed = async (who: Client, path: string): Promise<number> => (await answer(who, path)).length;
const sumOf = <Key extends string>(points: Record<Key, number>[], key: Key) =>
  sum(points.map((point) => point[key]));
/** A consultant's links only list their own leads. */
const mineOf = (who: Client) => (who === admin ? "" : `&rep=${who.user.id}`);

const paths = ["overview", "calls", "leads", "performance"].map((type) => `/api/reports/${type}`);

describe("reports", () => {
  it.each([...paths, "/api/analytics/call-data"])("require a session for %s", async (path) => {
    expect((await portal.request("GET", path)).status).toBe(401);
    expect((await rep.get(`${path}?range=year`)).status).toBe(400);
  });

  it("are zero for an empty database, with null rates", async () => {
    for (const who of [admin, rep]) {
      await expectReports(who);
      await expectAnalytics(who);
    }
    const report = await answer(rep, "/api/reports/overview?range=all");
    expect(report.conversionRate).toEqual({ value: null, previous: null });
    expect(report.activity.points).toEqual([
      { day: clock(new Date()).day, calls: 0, answered: 0, texts: 0, conversions: 0 },
    ]);
    const { firstCall } = await answer(rep, "/api/reports/leads");
    expect(firstCall).toMatchObject({ medianSeconds: null, called: 0, neverCalled: 0 });
  });

  it("count one lead once, and its first call", async () => {
    await pool().query("insert into leads (name, assigned_to) values ('Only', $1)", [rep.user.id]);
    expect((await answer(rep, "/api/reports/overview")).conversionRate).toEqual({ value: 0, previous: null });
    expect((await answer(rep, "/api/analytics/call-data")).neverCalled).toBe(1);
    const [{ id }] = (await pool().query("select id from leads")).rows;
    await rep.post("/api/call-logs", { leadId: id, duration: 74, outcome: "answered" });
    await rep.post(`/api/leads/${id}/convert`, { conversionValue: 1_200.5 });
    expect(await answer(rep, "/api/reports/overview")).toMatchObject({
      totalCalls: { value: 1, previous: 0 },
      conversionRate: { value: 100, previous: null },
      // A duration reported by the consultant is not talk time.
      talkSeconds: { value: 0, previous: 0 },
    });
    expect(await answer(other, "/api/reports/overview")).toMatchObject({
      totalCalls: { value: 0 },
      leadsCreated: 0,
      conversions: 0,
    });
    for (const who of [admin, rep, other]) {
      await expectReports(who);
      await expectAnalytics(who);
    }
  });

  it("match random rows, for everyone and for each consultant, before and after the metrics are stored", async () => {
    const userIds = [admin, rep, other].map(({ user }) => user.id);
    const work = createRandomWork(pool(), { seed: 7, userIds });
    await work.write(40);
    await expectReports(admin);
    await storeMetrics(portal.deps.database);
    await work.write(20);
    for (const who of [admin, rep, other]) {
      await expectReports(who);
      await expectAnalytics(who);
    }
  });

  it("count the rows that their drill-down links show", async () => {
    // A missed call of an unknown caller is open to everyone and counts for no consultant.
    const totals = () =>
      Promise.all([admin, rep].map(async (who) => (await answer(who, "/api/call-logs/summary")).totalCalls));
    const [everyones, own] = await totals();
    await pool().query(
      "insert into call_logs (outcome, confirmed, direction, call_type, duration_seconds) values ('no_answer', true, 'inbound', 'inbound', 0)",
    );
    expect(await totals()).toEqual([everyones + 1, own]);
    for (const who of [admin, rep]) {
      const opened = async (query: string) =>
        (await answer(who, `/api/call-logs/summary?range=week&${query}`)).totalCalls;
      const { activity, outcomes, totalCalls } = await answer(who, "/api/reports/overview");
      expect(await opened("")).toBe(totalCalls.value);
      for (const { day, calls } of activity.points) expect(await opened(`day=${day}`)).toBe(calls);
      for (const { outcome, calls } of outcomes)
        if (outcome) expect(await opened(`outcome=${outcome}`)).toBe(calls);
      expect(await opened("unknown=true")).toBeGreaterThan(0);
      const { hours, inbound } = await answer(who, "/api/reports/calls");
      expect(await opened("direction=inbound")).toBe(inbound);
      for (const { weekday, hour, calls } of hours.slice(0, 12))
        expect(await opened(`weekday=${weekday}&hour=${hour}`)).toBe(calls);
      const { consultants } = await answer(who, "/api/reports/performance");
      for (const { userId, calls, texts } of consultants) {
        expect(await opened(`rep=${userId}`)).toBe(calls);
        expect(await listed(who, `/api/sms/texts?range=week&rep=${userId}&direction=outbound`)).toBe(texts);
      }
      // The total row, which a consultant does not have.
      if (who !== admin) continue;
      expect(await opened("rep=any")).toBe(sumOf(consultants, "calls"));
      expect(await listed(who, "/api/sms/texts?range=week&rep=any&direction=outbound")).toBe(
        sumOf(consultants, "texts"),
      );
      expect(await listed(who, "/api/leads/all?assignment=assigned")).toBe(sumOf(consultants, "leads"));
      expect(await listed(who, "/api/clients/converted?range=week&rep=any")).toBe(
        sumOf(consultants, "conversions"),
      );
    }
  });

  it("link to the SMS, and to the conversions of a day, that they count", async () => {
    for (const who of [admin, rep]) {
      for (const range of ["week", "month"]) {
        const { points } = (await answer(who, `/api/reports/overview?range=${range}`)).activity;
        expect(await listed(who, `/api/sms/texts?range=${range}`)).toBe(sumOf(points, "texts"));
        for (const { day, texts, conversions } of points) {
          expect(await listed(who, `/api/sms/texts?range=${range}&day=${day}`)).toBe(texts);
          const days = `&convertedOn=${day}&convertedUntil=${day}`;
          expect(await listed(who, `/api/leads/all?converted=${range}${days}${mineOf(who)}`)).toBe(
            conversions,
          );
        }
      }
      const { activity } = await answer(who, "/api/reports/overview?range=all");
      expect(activity.step).toBe("month");
      for (const { day, texts } of activity.points) {
        const last = new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0));
        const until = last.toISOString().slice(0, 10);
        expect(await listed(who, `/api/sms/texts?day=${day}&until=${until}`)).toBe(texts);
      }
      const pages = await who.get("/api/sms/texts?limit=7");
      expect(pages.body).toHaveLength(7);
      const whole = await answer(who, "/api/sms/texts");
      expect(pages.body).toEqual(whole.slice(0, 7));
      expect(whole).toHaveLength(sumOf(activity.points, "texts"));
    }
  });

  it("link to the rows of the previous period", async () => {
    for (const who of [admin, rep]) {
      for (const range of ["week", "month"]) {
        const { totalCalls, answeredCalls, talkSeconds } = await answer(
          who,
          `/api/reports/overview?range=${range}`,
        );
        expect(totalCalls.previous).toBeGreaterThan(0);
        expect(await answer(who, `/api/call-logs/summary?range=previous-${range}`)).toMatchObject({
          totalCalls: totalCalls.previous,
          answered: answeredCalls.previous,
          totalSeconds: talkSeconds.previous,
        });
        const { leadsCreated, conversions } = await answer(who, `/api/reports/leads?range=${range}`);
        const leads = (query: string) =>
          listed(who, `/api/leads/all?${query}=previous-${range}${mineOf(who)}`);
        expect(await leads("created")).toBe(leadsCreated.previous);
        expect(await leads("converted")).toBe(conversions.previous);
        if (who === admin)
          expect(await listed(who, `/api/clients/converted?range=previous-${range}`)).toBe(
            conversions.previous,
          );
      }
    }
  });

  it("link to the leads of each time to first call, and of unnamed sources", async () => {
    await pool().query(
      `insert into leads (name, assigned_to, lead_source, created_at)
       select 'Of ' || n, $1, 'Source ' || n / 2, now() - n * interval '1 day' from generate_series(1, 60) n`,
      [rep.user.id],
    );
    for (const who of [admin, rep]) {
      for (const range of ["week", "month", "all"]) {
        const { firstCall, otherSources } = await answer(who, `/api/reports/leads?range=${range}`);
        const leads = (query: string) =>
          listed(who, `/api/leads/all?created=${range}&${query}${mineOf(who)}`);
        for (const { minutes, leads: count } of firstCall.within)
          expect(await leads(`firstCall=${minutes ?? "later"}`), `${minutes} ${range}`).toBe(count);
        if (range === "all") expect(otherSources).toBeGreaterThan(0);
        expect(await leads("sources=others")).toBe(otherSources);
      }
    }
  });

  it("of call counts link to the leads that they count", async () => {
    for (const who of [admin, rep]) {
      const mine = who === admin ? "" : `&rep=${who.user.id}`;
      for (const range of ["all", "today", "week", "month"]) {
        const figures = await answer(who, `/api/analytics/call-data?range=${range}`);
        const { neverCalled, called1Time, called2Times, called3Times } = figures;
        const counts = { no: neverCalled, once: called1Time, twice: called2Times, often: called3Times };
        for (const [called, count] of Object.entries(counts))
          expect(
            (await answer(who, `/api/leads/all?called=${called}&calledIn=${range}${mine}`)).length,
            `${called} ${range}`,
          ).toBe(count);
        const { length } = await answer(who, `/api/leads/all?called=yes&calledIn=${range}${mine}`);
        expect(length).toBe(figures.totalLeads - neverCalled);
        for (const status of ["all", "contacted"]) {
          const { totalCalls } = await answer(
            who,
            `/api/analytics/call-data?range=${range}&status=${status}`,
          );
          const calls = `direction=outbound&range=${range}&leadStatus=${status}${mine.replace("rep", "owner")}`;
          expect(await answer(who, `/api/call-logs/summary?${calls}`)).toMatchObject({ totalCalls });
        }
      }
    }
  });

  it("cover seven and thirty dates from midnight on, and compare with as many before, up to the time of day", async () => {
    const localTime = (at: string) => new Date(at).toLocaleTimeString("en-GB", { timeZone });
    for (const [range, days] of [
      ["week", 7],
      ["month", 30],
    ] as const) {
      const { from, to, previousFrom, previousTo }: Record<string, string> = (
        await answer(admin, `/api/reports/overview?range=${range}`)
      ).period;
      const today = clock(new Date(to ?? "")).day;
      for (const [start, ago] of [
        [from, days - 1],
        [previousFrom, 2 * days - 1],
      ] as const) {
        expect(clock(new Date(start ?? "")).day).toBe(daysBefore(today, ago));
        expect(clock(new Date(Date.parse(start ?? "") - 1)).day).toBe(daysBefore(today, ago + 1));
      }
      expect(clock(new Date(previousTo ?? "")).day).toBe(daysBefore(today, days));
      expect(localTime(previousTo ?? "")).toBe(localTime(to ?? ""));
    }
  });

  it("start and end correctly on days whose midnight occurs twice or never", async () => {
    const { everyLog } = await rowsFor(admin);
    // Daylight saving time ended in Havana on 1 November 2026, 01:00, and began on 8 March, 00:00.
    const days = sql.param(["2026-11-01", "2026-11-02", "2026-03-08"]);
    const rows = await query<{ at: Date }>(
      { $client: pool() },
      sql`select ${midnightSql(sql`day`, timeZone)} as at from unnest(${days}::date[]) day`,
    );
    expect(rows.map(({ at }) => at.toISOString().slice(0, 16))).toEqual([
      "2026-11-01T04:00",
      "2026-11-02T05:00",
      "2026-03-08T05:00",
    ]);
    for (const endAt of ["2026-11-01T04:30:00Z", "2026-11-01T05:30:00Z"]) {
      const previousFrom = "2026-10-26T04:00:00Z";
      const before = {
        day: "2026-10-26",
        at: previousFrom,
        lastDay: "2026-11-01",
        lastDayAt: "2026-11-01T04:00:00Z",
        endAt,
      };
      const counted = await sumMetrics(portal.deps.database.db, {
        kinds: ["call"],
        scope: "everyone",
        period: {
          range: "week",
          timeZone,
          to: new Date().toISOString(),
          today: clock(new Date()).day,
          start: { day: "2026-11-02", at: "2026-11-02T05:00:00Z", before },
        },
        bucket: "day",
        before: true,
      });
      const sumPart = (part: string) => sum(counted.filter((row) => row.part === part).map(({ n }) => n));
      const dates = everyLog.map(({ call_date }) => call_date);
      expect(sumPart("now")).toBe(dates.filter((at) => at >= new Date("2026-11-02T05:00:00Z")).length);
      expect(sumPart("before")).toBe(
        dates.filter((at) => at >= new Date(previousFrom) && at < new Date(endAt)).length,
      );
    }
  });

  it("include a closed account only when it has activity or leads", async () => {
    const [closed, idle] = [await portal.signIn({ name: "Eva" }), await portal.signIn({ name: "Iván" })];
    await pool().query("update users set disabled_at = now() where id = any($1)", [
      [closed.user.id, idle.user.id],
    ]);
    await pool().query("insert into leads (name, assigned_to) values ('Left behind', $1)", [closed.user.id]);
    const { consultants } = await answer(admin, "/api/reports/performance");
    const named = consultants.filter(({ active }: { active: boolean }) => !active);
    expect(named).toMatchObject([{ name: "Eva", leads: 1, calls: 0 }]);
  });
});

describe("the activity chart", () => {
  it("shows days, weeks from Monday, then months, without gaps", () => {
    const chart = (first: string, last: string) => {
      const { step, points } = chartActivity({ first, last, days: [{ day: last, calls: 2 }] });
      return [step, points.length, points[0]?.day, points.at(-1)?.day, points.at(-1)?.calls];
    };
    expect(chart("2026-10-21", "2026-11-20")).toEqual(["day", 31, "2026-10-21", "2026-11-20", 2]);
    expect(chart("2026-10-20", "2026-11-20")).toEqual(["week", 5, "2026-10-19", "2026-11-16", 2]);
    expect(chart("2025-12-28", "2026-01-31")).toEqual(["week", 6, "2025-12-22", "2026-01-26", 2]);
    expect(chart("2024-02-29", "2026-03-01")).toEqual(["month", 26, "2024-02-01", "2026-03-01", 2]);
  });
});
