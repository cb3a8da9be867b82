import { afterAll, beforeAll, expect, it } from "vitest";
import { buildLead } from "../../testing/factories.ts";
import { createRandomWork } from "../../testing/random-work.ts";
import { buildTestApp, type Client, type TestApp } from "../../testing/test-app.ts";
import { createAdminStats } from "./read-stats.ts";
import { findDay } from "./stats-repository.ts";

const zones = ["America/Havana", "Asia/Kathmandu", "Pacific/Kiritimati"];
let portal: TestApp;
let admin: Client;
let userIds: number[];

beforeAll(async () => {
  portal = await buildTestApp({ env: { ORG_TIME_ZONE: zones[0] ?? "" } });
  admin = await portal.signIn({ role: "admin", name: "zoe" });
  const reps = [];
  for (const name of ["Óscar", "ana", "Luis"]) reps.push(await portal.signIn({ name }));
  userIds = [admin, ...reps].map(({ user }) => user.id);
  const work = createRandomWork(portal.deps.database.pool, { seed: 82_026, userIds });
  await work.write(100);
  for (const [part, zone] of zones.entries()) await addTodaysWork(zone, part);
});
afterAll(() => portal.close());

async function rowsOf<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
  return (await portal.deps.database.pool.query(sql, values)).rows as Row[];
}

/** Gives a third of the leads follow-ups, contacts, calls and moved follow-ups around the boundaries of the organization's day. */
async function addTodaysWork(zone: string, part: number): Promise<void> {
  const { pool, db } = portal.deps.database;
  const { start, end } = await findDay(db, zone);
  const now = Date.now();
  const [first, next] = [Date.parse(start), Date.parse(end)];
  const edges = [first - 1, first, Math.floor((first + now) / 2), next - 1, next, next + 9e7, first - 9e7];
  const past = edges.filter((at) => at <= now);
  let seed = 8_061 + part;
  const one = <T>(list: readonly T[]) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return list[seed % list.length] as T;
  };
  const iso = (at: number) => new Date(at).toISOString();
  const ids = (await rowsOf<{ id: number }>("select id from leads order by id")).map(({ id }) => id);
  for (const id of ids.filter((of) => of % zones.length === part)) {
    const followUp = one([null, ...edges, null]);
    const assigned = one([null, now - 86_400_000 - 60_000, now - 86_400_000 + 60_000, now - 9e8]);
    const contacted = one([null, ...past]);
    await pool.query(
      "update leads set next_follow_up_date = $2, assigned_at = $3, last_contacted_at = $4 where id = $1",
      [id, followUp && iso(followUp), assigned && iso(assigned), contacted && iso(contacted)],
    );
    if (one([0, 1]) === 0)
      await pool.query(
        `insert into call_logs (lead_id, user_id, outcome, duration_seconds, call_date, direction, confirmed, call_type)
         values ($1, $2, $3, 10, $4, $5, $6, 'browser')`,
        [
          id,
          one(userIds),
          one(["answered", null, "busy"]),
          iso(one(past)),
          one(["outbound", "outbound", "inbound"]),
          one([true, true, false]),
        ],
      );
    if (one([0, 1, 2]) === 0)
      await pool.query("insert into lead_events (lead_id, kind, data, at) values ($1, 'changed', $2, $3)", [
        id,
        one([
          { field: "nextFollowUpDate", before: iso(one(edges)), after: null },
          { field: "nextFollowUpDate", before: null, after: iso(next) },
          { field: "status", before: "new", after: "contacted" },
        ]),
        iso(one(past)),
      ]);
  }
  // At any hour, at least one lead was due today and was called.
  const soFar = iso(Math.floor((first + now) / 2));
  await pool.query(
    `with called as (
       update leads set next_follow_up_date = $1, last_contacted_at = $2 where id = (
         select id from leads where assigned_to = any($3) and status <> 'converted' and id % $4 = $5 order by id limit 1)
       returning id, assigned_to)
     insert into call_logs (lead_id, user_id, outcome, duration_seconds, call_date, direction, confirmed, call_type)
     select id, assigned_to, 'answered', 10, $2, 'outbound', true, 'browser' from called`,
    [iso(first), soFar, userIds, zones.length, part],
  );
}

interface Lead {
  id: number;
  assigned_to: number | null;
  assigned_at: Date | null;
  status: string;
  next_follow_up_date: Date | null;
  last_contacted_at: Date | null;
  converted_at: Date | null;
}

/** Computes the metrics by their definitions from the rows, with the JavaScript calendar instead of PostgreSQL's. */
async function recompute(zone: string) {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" });
  const dayOf = (at: Date | null) => (at ? format.format(at) : "");
  const today = dayOf(new Date());
  const leads = await rowsOf<Lead>("select * from leads");
  const logs = await rowsOf<{
    lead_id: number;
    user_id: number;
    outcome: string;
    confirmed: boolean;
    direction: string;
    call_date: Date;
  }>("select * from call_logs");
  const texts = await rowsOf<{ user_id: number; direction: string; status: string }>(
    "select * from messages",
  );
  const clients = await rowsOf<{ converted_by: number }>("select * from clients");
  const moves = await rowsOf<{ lead_id: number; at: Date; data: { field: string; before: string | null } }>(
    "select * from lead_events",
  );

  const isDue = (date: Date | null) => date !== null && dayOf(date) <= today;
  const judge = (lead: Lead) => {
    const ofLead = logs.filter((log) => log.lead_id === lead.id);
    const hasOutcome = ofLead.some(
      (log) =>
        dayOf(log.call_date) === today &&
        log.confirmed &&
        log.outcome !== null &&
        log.outcome !== "not_connected",
    );
    const calledBefore = ofLead.some((log) => log.direction === "outbound" && dayOf(log.call_date) < today);
    const isWaiting = lead.assigned_at !== null && Date.now() - lead.assigned_at.getTime() >= 86_400_000;
    const isDueNow = isDue(lead.next_follow_up_date) || (isWaiting && !calledBefore);
    const wasMoved = moves.some(
      ({ lead_id, at, data }) =>
        lead_id === lead.id &&
        dayOf(at) === today &&
        data.field === "nextFollowUpDate" &&
        data.before &&
        isDue(new Date(data.before)),
    );
    const isClient = lead.status === "converted";
    const wasDue = (!isClient || dayOf(lead.converted_at) === today) && (isDueNow || wasMoved);
    return { isDue: (!isClient && isDueNow) || (hasOutcome && wasDue), isDone: hasOutcome && wasDue };
  };

  const userStats = (id: number) => {
    const own = leads.filter((lead) => lead.assigned_to === id);
    const judged = own.map(judge);
    const due = judged.filter((lead) => lead.isDue).length;
    return {
      id,
      totalLeads: own.length,
      contactedToday: own.filter((lead) => dayOf(lead.last_contacted_at) === today).length,
      callsMade: logs.filter((log) => log.user_id === id && log.direction === "outbound").length,
      smsCount: texts.filter(
        (text) =>
          text.user_id === id &&
          text.direction === "outbound" &&
          !["failed", "undelivered"].includes(text.status),
      ).length,
      leadsConverted: clients.filter((client) => client.converted_by === id).length,
      followUpsScheduled: own.filter((lead) => lead.next_follow_up_date && lead.status !== "converted")
        .length,
      productivityScore: due === 0 ? null : (100 * judged.filter((lead) => lead.isDone).length) / due,
    };
  };
  const scores = userIds
    .map(userStats)
    .flatMap(({ productivityScore: score }) => (score === null ? [] : [score]));
  return {
    userStats,
    system: {
      totalUsers: userIds.length,
      leadsProcessedToday: leads.filter((lead) => dayOf(lead.last_contacted_at) === today).length,
      totalLeads: leads.length,
      totalCalls: logs.filter((log) => log.direction === "outbound").length,
      conversionRate: (100 * leads.filter((lead) => lead.status === "converted").length) / leads.length,
      avgProductivity: expect.closeTo(scores.reduce((sum, score) => sum + score, 0) / scores.length, 8),
    },
  };
}

it.each(zones)("every metric matches the rows on %s", async (zone) => {
  const stats = createAdminStats(portal.deps.database, zone);
  const { userStats, system } = await recompute(zone);
  const users = await stats.users();
  expect(users.map(({ id }) => id).sort()).toEqual([...userIds].sort());
  for (const user of users) expect(user).toMatchObject(userStats(user.id));
  expect(await stats.system()).toMatchObject(system);
  // The rows cover every branch.
  expect(system.leadsProcessedToday).toBeGreaterThan(0);
  expect(Math.max(...users.map(({ productivityScore }) => productivityScore ?? 0))).toBeGreaterThan(0);
});

it("the API returns the same to administrators, in a stable order", async () => {
  const { userStats, system } = await recompute(zones[0] ?? "");
  const answer = await admin.get("/api/admin/user-stats");
  expect(answer.body.map(({ name }: { name: string }) => name)).toEqual(["ana", "Luis", "zoe", "Óscar"]);
  for (const user of answer.body) expect(user).toMatchObject(userStats(user.id));
  expect((await admin.get("/api/admin/system-stats")).body).toMatchObject(system);
});

it("due work counts as done although its outcome moved the follow-up or converted the lead", async () => {
  const rep = await portal.signIn({ name: "Berta" });
  const due = () =>
    buildLead(portal.deps.database, { assignedTo: rep.user.id, nextFollowUpDate: new Date() });
  const [moved, converted, left, postponed] = [await due(), await due(), await due(), await due()];
  const nextFollowUpDate = new Date(Date.now() + 3 * 86_400_000).toISOString();
  for (const lead of [moved, converted]) {
    const log = { leadId: lead.id, duration: "0:30", outcome: "answered", notes: "" };
    expect((await rep.post("/api/call-logs", log)).status).toBe(200);
  }
  expect((await rep.patch(`/api/leads/${moved.id}`, { nextFollowUpDate })).status).toBe(200);
  expect((await rep.post(`/api/leads/${converted.id}/convert`, { conversionValue: 0 })).status).toBe(200);
  expect((await rep.patch(`/api/leads/${postponed.id}`, { nextFollowUpDate })).status).toBe(200);
  const scoreOf = async () => {
    const { body } = await admin.get("/api/admin/user-stats");
    return body.find(({ id }: { id: number }) => id === rep.user.id).productivityScore;
  };
  expect(await scoreOf()).toBeCloseTo(200 / 3);
  await rep.patch(`/api/leads/${left.id}`, { nextFollowUpDate });
  expect(await scoreOf()).toBe(100);
});

it("an empty organization has no division by zero", async () => {
  const empty = await buildTestApp();
  try {
    const alone = await empty.signIn({ role: "admin" });
    const { body } = await alone.get("/api/admin/system-stats");
    expect(body).toMatchObject({
      totalUsers: 1,
      totalLeads: 0,
      totalCalls: 0,
      conversionRate: null,
      avgProductivity: null,
    });
    expect((await alone.get("/api/admin/user-stats")).body).toMatchObject([
      { productivityScore: null, callsMade: 0 },
    ]);
  } finally {
    await empty.close();
  }
});
