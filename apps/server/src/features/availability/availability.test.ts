import type { Availability, WorkingHours } from "@portal/contract/entities/availability";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { reachableMinutesBetween } from "../../domain/reachability.ts";
import { buildTestApp, type Client, type TestApp } from "../../testing/test-app.ts";
import { findReachability } from "./repository.ts";

let portal: TestApp;
let admin: Client;
let ana: Client;
let luis: Client;
beforeAll(async () => {
  portal = await buildTestApp();
  admin = await portal.signIn({ role: "admin", name: "Carmen Ortiz" });
});
afterAll(() => portal.close());
beforeEach(async () => {
  ana = await portal.signIn({ name: "Ana Rivera" });
  luis = await portal.signIn({ name: "Luis Torres" });
});

const always: Availability = { state: "available", until: null, hours: null, standIn: null };
const allDay = { from: "00:00", to: "00:00" };
const every = (day: WorkingHours["days"][number]): WorkingHours => ({
  zone: "Europe/Madrid",
  days: [day, day, day, day, day, day, day],
});
/** Working hours on a weekday that is not today in any time zone. */
function hoursOfAnotherDay(): WorkingHours {
  const { days, zone } = every(null);
  return { zone, days: days.with((new Date().getUTCDay() + 2) % 7, { from: "12:00", to: "13:00" }) };
}
const own = async (who: Client): Promise<Availability> => (await who.get("/api/availability")).body;
const audit = async (userId: number) => {
  const { rows } = await portal.deps.database.pool.query(
    "select action, data from audit_log where subject = $1 or (user_id = $2 and action = 'profile-change') order by id",
    [`user:${userId}`, userId],
  );
  return rows;
};

describe("a user's availability", () => {
  it("is available at all hours by default; one request sets away and another available", async () => {
    expect((await portal.request("GET", "/api/availability", {})).status).toBe(401);
    expect(await own(ana)).toEqual(always);
    const gone = await ana.patch("/api/availability", { away: true });
    expect(gone).toMatchObject({ status: 200, body: { ...always, state: "away" } });
    expect(await own(ana)).toMatchObject({ state: "away", until: null });
    expect(await own(luis)).toEqual(always);

    const until = new Date(Date.now() + 3_600_000).toISOString();
    expect((await ana.patch("/api/availability", { away: true, awayUntil: until })).body.until).toBe(until);
    expect((await ana.patch("/api/availability", { away: false })).body).toEqual(always);
    expect((await ana.patch("/api/availability", { away: false })).body).toEqual(always);
  });

  it("records each absence, never two at once, so that first-call times can exclude it", async () => {
    const { db, pool } = portal.deps.database;
    const from = new Date();
    for (const away of [true, true, false, true, false]) await ana.patch("/api/availability", { away });
    const { rows } = await pool.query(
      "select started_at, until from absences where user_id = $1 order by started_at",
      [ana.user.id],
    );
    expect(rows).toHaveLength(2);
    expect(rows.every(({ started_at, until }) => until >= started_at)).toBe(true);

    await pool.query(
      "insert into absences (user_id, started_at, until) values ($1, now() + interval '1 hour', now() + interval '2 hours')",
      [ana.user.id],
    );
    const reachability = await findReachability(db, ana.user.id);
    const minutes = reachableMinutesBetween(reachability, from, new Date(from.getTime() + 3 * 3_600_000));
    expect(minutes).toBeGreaterThan(118);
    expect(minutes).toBeLessThanOrEqual(120);
  });

  it("has working hours by weekday and a stand-in, who is ignored once their account is closed", async () => {
    const hours = every(allDay);
    const saved = await ana.patch("/api/availability", { hours, standInId: luis.user.id });
    const standIn = { id: luis.user.id, name: "Luis Torres" };
    expect(saved).toMatchObject({ status: 200, body: { state: "available", until: null, hours, standIn } });
    const closed = await ana.patch("/api/availability", { hours: hoursOfAnotherDay() });
    expect(closed.body).toMatchObject({ state: "outside_hours", standIn });
    expect(Date.parse(closed.body.until)).toBeGreaterThan(Date.now());
    expect(await audit(ana.user.id)).toEqual([
      { action: "profile-change", data: { fields: ["workingHours", "standIn"] } },
      { action: "profile-change", data: { fields: ["workingHours"] } },
    ]);

    expect((await admin.post(`/api/team/${luis.user.id}/deactivate`)).status).toBe(200);
    expect(await own(ana)).toMatchObject({ standIn: null });
    expect((await ana.patch("/api/availability", { hours: null, standInId: null })).body).toEqual(always);
  });

  it.each<[string, (who: { ana: number; admin: number }) => object]>([
    ["an end in the past", () => ({ away: true, awayUntil: "2020-01-01T00:00:00Z" })],
    ["an end without an absence", () => ({ awayUntil: "2090-01-01T00:00:00Z" })],
    ["the user as their own stand-in", ({ ana: id }) => ({ standInId: id })],
    ["an administrator as the stand-in", ({ admin: id }) => ({ standInId: id })],
    ["an unknown stand-in", () => ({ standInId: 987_654 })],
    ["hours that end before they begin", () => ({ hours: every({ from: "17:00", to: "09:00" }) })],
    ["a time of 25 hours", () => ({ hours: every({ from: "25:00", to: "26:00" }) })],
    ["an invalid zone", () => ({ hours: { ...every(allDay), zone: "America/Nowhere" } })],
    ["a week of six days", () => ({ hours: { zone: "UTC", days: every(allDay).days.slice(1) } })],
    ["a week without a working day", () => ({ hours: every(null) })],
    ["an unknown field", () => ({ hoursOfWork: null })],
  ])("rejects %s, and changes nothing", async (_what, body) => {
    const answer = await ana.patch("/api/availability", body({ ana: ana.user.id, admin: admin.user.id }));
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid" } });
    expect(await own(ana)).toEqual(always);
  });
});

describe("an administrator", () => {
  it("changes the availability of another user, which is audited, and sees it in the team", async () => {
    const path = `/api/team/${ana.user.id}/availability`;
    const hours = { ...every(null), days: every(null).days.with(0, { from: "09:00", to: "17:30" }) };
    expect((await luis.patch(path, { away: true })).status).toBe(403);
    const changed = await admin.patch(path, { away: true, hours, standInId: luis.user.id });
    const standIn = { id: luis.user.id, name: "Luis Torres" };
    expect(changed).toMatchObject({
      status: 200,
      body: { id: ana.user.id, availability: { state: "away", until: null, hours, standIn } },
    });
    expect(await own(ana)).toEqual(changed.body.availability);
    expect((await admin.patch(path, { hours })).status).toBe(200);
    expect(await audit(ana.user.id)).toEqual([
      {
        action: "member-availability",
        data: {
          name: "Ana Rivera",
          changes: {
            away: { before: false, after: true },
            workingHours: { before: null, after: { zone: "Europe/Madrid", monday: "09:00-17:30" } },
            standIn: { before: null, after: "Luis Torres" },
          },
        },
      },
    ]);
    expect(await admin.patch("/api/team/987654/availability", { away: true })).toMatchObject({ status: 404 });
    expect((await admin.patch(path, { standInId: ana.user.id })).status).toBe(400);
    const team = (await admin.get("/api/team")).body;
    expect(team.find(({ id }: { id: number }) => id === luis.user.id).availability).toEqual(always);
  });
});
