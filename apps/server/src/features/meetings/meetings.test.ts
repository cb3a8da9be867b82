import { randomUUID } from "node:crypto";
import { DateTime } from "luxon";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { googleAccounts } from "../../platform/db/schema/meetings.ts";
import { buildLead } from "../../testing/factories.ts";
import { buildTestApp, type Client, type TestApp } from "../../testing/test-app.ts";
import { moveMeetings } from "./service.ts";

let portal: TestApp;
let ana: Client;
let luis: Client;
beforeAll(async () => {
  portal = await buildTestApp();
  [ana, luis] = [await portal.signIn({ name: "Ana Ruiz" }), await portal.signIn()];
});
afterAll(() => portal.close());

const path = "/api/calendar/events";
/** The instant of a local time in a zone. */
const at = (local: string, zone = "America/New_York") =>
  DateTime.fromISO(local, { zone }).toUTC().toISO() ?? "";
const slot = (local: string, zone?: string) => ({
  title: "Solar offer",
  startTime: at(local, zone),
  endTime: DateTime.fromISO(at(local, zone)).plus({ minutes: 30 }).toUTC().toISO() ?? "",
  ...(zone && { timeZone: zone }),
});
const leadOf = (rep: Client) => buildLead(portal.deps.database, { assignedTo: rep.user.id });
const timeline = async (leadId: number, rep = ana) =>
  (await rep.get(`/api/leads/${leadId}/timeline`)).body as {
    kind: string;
    before: unknown;
    after: unknown;
  }[];

describe("meetings", () => {
  it("require a session, and cannot be read or changed by others", async () => {
    const { body: meeting } = await ana.post(path, slot("2027-02-01T09:00"));
    const own = `${path}/${meeting.id}`;
    const tries = [
      ["GET", path],
      ["POST", path],
      ["PATCH", own],
      ["DELETE", own],
      ["GET", `${own}/ics`],
      ["GET", "/api/calendar/clash"],
      ["GET", "/api/calendar/earlier"],
      ["GET", "/api/calendar/free-slots"],
    ] as const;
    for (const [method, url] of tries) expect((await portal.request(method, url)).status).toBe(401);
    const admin = await portal.signIn({ role: "admin" });
    for (const other of [luis, admin]) {
      expect((await other.patch(own, { title: "Mine" })).body.code).toBe("forbidden");
      expect((await other.delete(own)).body.code).toBe("forbidden");
      expect((await other.get(`${own}/ics`)).body.code).toBe("forbidden");
      expect((await other.get(path)).body).toEqual([]);
    }
    expect((await ana.patch(`${path}/2147483647`, { title: "x" })).status).toBe(404);
    expect((await ana.get(path)).body).toEqual([meeting]);
  });

  it("are created with a lead the user may edit, once for a repeated request, with a timeline entry", async () => {
    const [mine, hers] = [await leadOf(ana), await leadOf(luis)];
    const wanted = { ...slot("2027-02-02T09:00"), leadId: mine.id, clientRef: randomUUID() };
    expect((await ana.post(path, { ...wanted, leadId: hers.id })).body.code).toBe("not_your_lead");
    expect((await ana.post(path, { ...wanted, leadId: 2_147_483_647 })).status).toBe(404);
    const answers = await Promise.all([ana.post(path, wanted), ana.post(path, wanted)]);
    expect(answers[0].body).toEqual(answers[1].body);
    const { body } = await ana.post(path, wanted);
    expect(body).toMatchObject({ leadName: mine.name, calendarType: "google", sync: "none" });
    expect((await luis.post(path, { ...slot("2027-02-02T09:00"), clientRef: wanted.clientRef })).status).toBe(
      409,
    );

    await ana.patch(`${path}/${body.id}`, { title: " Solar offer " });
    await ana.patch(`${path}/${body.id}`, { title: "Heat pump" });
    await ana.delete(`${path}/${body.id}`);
    expect((await ana.delete(`${path}/${body.id}`)).status).toBe(200);
    expect((await ana.patch(`${path}/${body.id}`, { title: "x" })).status).toBe(404);
    const { startTime, endTime } = wanted;
    expect(await timeline(mine.id)).toMatchObject([
      {
        kind: "meeting-deleted",
        before: { startTime, endTime },
        after: { startTime: null },
        text: "Heat pump",
      },
      { kind: "meeting-changed", before: { title: "Solar offer" }, after: { title: "Heat pump" } },
      { kind: "meeting-scheduled", before: { startTime: null }, after: { startTime, endTime } },
    ]);
  });

  it.each([
    ["a blank title", { title: "  " }, "title"],
    ["an end before the start", { endTime: at("2027-02-03T08:59") }, "endTime"],
    ["more than a day", { endTime: at("2027-02-04T09:01") }, "endTime"],
    ["a past day", { startTime: at("2026-01-01T09:00"), endTime: at("2026-01-01T10:00") }, "startTime"],
    ["an invalid zone", { timeZone: "Mars/Olympus" }, "timeZone"],
    ["an offset instead of a zone", { timeZone: "+02:00" }, "timeZone"],
    ["a link without encryption", { meetingLink: "http://meet.example.com/a" }, "https://"],
    ["a link that runs a script", { meetingLink: "javascript:alert(1)" }, "meetingLink"],
    [
      "one invalid address among valid ones",
      { attendeeEmails: "a@example.com, b@, c@example.com" },
      "b@ is not",
    ],
  ])("are rejected with %s, which is named", async (_what, wrong, named) => {
    const answer = await ana.post(path, { ...slot("2027-02-03T09:00"), ...wrong });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(named);
  });

  it("have their links and addresses normalized, and keep special characters", async () => {
    const odd = "'; drop table meetings; -- <b>ñ</b> 🙂 \u202e";
    const { body } = await ana.post(path, {
      ...slot("2027-02-03T12:00"),
      title: odd,
      description: " ",
      meetingLink: "meet.example.com/abc",
      attendeeEmails: " a@example.com ; B@example.com,A@example.com\n",
    });
    expect(body).toMatchObject({
      title: odd,
      description: null,
      meetingLink: "https://meet.example.com/abc",
      attendeeEmails: "a@example.com, B@example.com",
    });
    const answer = await ana.post(path, { ...slot("2027-02-03T12:00"), title: "a\u0000b" });
    expect(answer.status).toBe(400);
  });

  it("can be saved and renamed on their day after they began", async () => {
    const start = DateTime.now().setZone("America/New_York").startOf("day");
    const times = {
      startTime: start.toUTC().toISO() ?? "",
      endTime: start.plus({ hours: 1 }).toUTC().toISO() ?? "",
    };
    const made = await luis.post(path, { title: "Early", ...times, timeZone: "America/New_York" });
    expect(made.status).toBe(200);
    await portal.deps.database.pool.query(
      "update meetings set starts_at = starts_at - interval '9 days', ends_at = ends_at - interval '9 days' where id = $1",
      [made.body.id],
    );
    expect((await luis.patch(`${path}/${made.body.id}`, { title: "Then" })).body.title).toBe("Then");
    expect((await luis.patch(`${path}/${made.body.id}`, times)).status).toBe(200);
  });

  it.each(["America/New_York", "Europe/Madrid", "Australia/Sydney"])(
    "keep instants, order and days across the clock changes in %s",
    async (zone) => {
      const rep = await portal.signIn();
      const days = ["2027-10-31", "2027-03-14", "2027-04-04", "2027-03-28", "2027-11-07", "2027-10-03"];
      for (const day of days) {
        await rep.post(path, slot(`${day}T00:30`, zone));
        await rep.post(path, slot(`${day}T12:00`, zone));
      }
      const list = (await rep.get(path)).body as { startTime: string; timeZone: string; id: number }[];
      const local = list.map((each) =>
        DateTime.fromISO(each.startTime, { zone }).toFormat("yyyy-MM-dd'T'HH:mm"),
      );
      expect(local).toEqual([...days].sort().flatMap((day) => [`${day}T00:30`, `${day}T12:00`]));
      const noon = list[1];
      const file = String((await rep.get(`${path}/${noon?.id}/ics`)).body);
      expect(file).toContain(
        `DTSTART:${DateTime.fromISO(noon?.startTime ?? "")
          .toUTC()
          .toFormat("yyyyMMdd'T'HHmmss'Z'")}`,
      );
    },
  );

  it("distinguish the two 1:30s of a November night", async () => {
    const rep = await portal.signIn();
    const first = {
      title: "First",
      startTime: "2027-11-07T05:30:00.000Z",
      endTime: "2027-11-07T06:00:00.000Z",
    };
    const second = {
      title: "Second",
      startTime: "2027-11-07T06:30:00.000Z",
      endTime: "2027-11-07T07:00:00.000Z",
    };
    await rep.post(path, first);
    const query = new URLSearchParams({ startTime: second.startTime, endTime: second.endTime });
    expect((await rep.get(`/api/calendar/clash?${query}`)).body.clash).toBeNull();
    await rep.post(path, second);
    expect((await rep.get(`/api/calendar/clash?${query}`)).body.clash.title).toBe("Second");
  });

  it("report a user's own overlapping meeting, but not an adjacent or deleted one, the same or another user's", async () => {
    const rep = await portal.signIn();
    const { body } = await rep.post(path, slot("2027-05-03T09:00"));
    await luis.post(path, slot("2027-05-03T10:00"));
    const clash = async (from: string, to: string, except = "") => {
      const times = `startTime=${at(`2027-05-03T${from}`)}&endTime=${at(`2027-05-03T${to}`)}`;
      return (await rep.get(`/api/calendar/clash?${times}${except && `&except=${except}`}`)).body.clash;
    };
    expect(await clash("09:29", "11:00")).toEqual({
      title: body.title,
      startTime: body.startTime,
      endTime: body.endTime,
    });
    expect(await clash("09:30", "11:00")).toBeNull();
    expect(await clash("08:00", "09:00")).toBeNull();
    expect(await clash("09:00", "09:30", body.id)).toBeNull();
    await rep.delete(`${path}/${body.id}`);
    expect(await clash("09:00", "09:30")).toBeNull();
  });

  it("are paged from today by start time, within a range and for one lead", async () => {
    const rep = await portal.signIn();
    const lead = await leadOf(rep);
    for (const hour of ["11", "09", "10"])
      await rep.post(path, { ...slot(`2027-06-01T${hour}:00`), title: hour });
    await rep.post(path, { ...slot("2027-06-02T09:00"), title: "lead", leadId: lead.id });
    const titles = (body: { title: string }[]) => body.map(({ title }) => title);
    const page = await rep.get(`${path}?limit=3`);
    expect([titles(page.body), page.headers["x-total-count"]]).toEqual([["09", "10", "11"], "4"]);
    const rest = await rep.get(`${path}?limit=3&cursor=${page.headers["x-next-cursor"]}`);
    expect(titles(rest.body)).toEqual(["lead"]);
    expect(titles((await rep.get(`${path}?leadId=${lead.id}`)).body)).toEqual(["lead"]);
    const [from, to] = [at("2027-06-01T09:30"), at("2027-06-01T11:00")];
    expect(titles((await rep.get(`${path}?from=${from}&to=${to}`)).body)).toEqual(["10"]);

    const earlier = "/api/calendar/earlier";
    expect((await rep.get(earlier)).body).toEqual([]);
    const over = `${earlier}?before=${at("2027-06-01T11:00")}&limit=1`;
    const latest = await rep.get(over);
    expect([titles(latest.body), latest.headers["x-total-count"]]).toEqual([["10"], "2"]);
    const before = await rep.get(`${over}&cursor=${latest.headers["x-next-cursor"]}`);
    expect(titles(before.body)).toEqual(["09"]);
    expect((await (await portal.signIn()).get(over)).body).toEqual([]);
  });

  it("are returned as a calendar file with the guests and one identifier for all versions", async () => {
    const made = await ana.post(path, {
      ...slot("2027-07-01T09:00"),
      title: "Offer; with, odd\nsigns",
      attendeeEmails: "lead@example.com",
      meetingLink: "https://meet.example.com/a",
    });
    const url = `${path}/${made.body.id}`;
    const first = await ana.get(`${url}/ics`);
    await ana.patch(url, { title: "Changed" });
    const second = String((await ana.get(`${url}/ics`)).body);
    expect(first.headers["content-type"]).toBe("text/calendar; charset=utf-8");
    const unfolded = String(first.body).replaceAll("\r\n ", "");
    for (const line of [
      "SUMMARY:Offer\\; with\\, odd\\nsigns",
      "DTSTART:20270701T130000Z",
      "DTEND:20270701T133000Z",
      `UID:meeting-${made.body.id}@127.0.0.1`,
      "SEQUENCE:0",
    ])
      expect(unfolded.split("\r\n")).toContain(line);
    expect(unfolded).toMatch(/ORGANIZER;CN="?Ana Ruiz"?:MAILTO:person/i);
    expect(unfolded).toMatch(/ATTENDEE;.*MAILTO:lead@example\.com/i);
    expect(second).toContain(`UID:meeting-${made.body.id}@127.0.0.1`);
    expect(second).toContain("SEQUENCE:1");
  });

  it("are marked for sync to Google, and future ones move with their lead", async () => {
    const [from, to] = [await portal.signIn(), await portal.signIn()];
    const { db } = portal.deps.database;
    await db.insert(googleAccounts).values({ userId: from.user.id, scope: "calendar" });
    const lead = await leadOf(from);
    const google = (await from.post(path, { ...slot("2027-08-01T09:00"), leadId: lead.id })).body;
    const local = (
      await from.post(path, { ...slot("2027-08-02T09:00"), leadId: lead.id, calendarType: "local" })
    ).body;
    const alone = (await from.post(path, slot("2027-08-03T09:00"))).body;
    expect([google.sync, local.sync, alone.sync]).toEqual(["pending", "none", "pending"]);
    const past = (await from.post(path, { ...slot("2027-08-01T12:00"), leadId: lead.id })).body;
    const shift =
      "update meetings set starts_at = '2026-01-01T09:00Z', ends_at = '2026-01-01T10:00Z' where id = $1";
    await portal.deps.database.pool.query(shift, [past.id]);

    const parties = { leadId: lead.id, from: from.user.id, to: to.user.id };
    expect(await portal.deps.database.transaction((tx) => moveMeetings(tx, parties))).toHaveLength(2);
    const { rows } = await portal.deps.database.pool.query(
      "select id, user_id, version, sync from meetings where id = any($1) order by id",
      [[google.id, local.id, alone.id, past.id]],
    );
    expect(rows).toEqual([
      { id: google.id, user_id: to.user.id, version: 2, sync: "none" },
      { id: local.id, user_id: to.user.id, version: 2, sync: "none" },
      { id: alone.id, user_id: from.user.id, version: 1, sync: "pending" },
      { id: past.id, user_id: from.user.id, version: 1, sync: "pending" },
    ]);
  });
});

describe("free slots", () => {
  const allDay = { from: "00:00", to: "00:00" };
  const everyHour = { zone: "America/New_York", days: Array.from({ length: 7 }, () => allDay) };
  const free = async (rep: Client, query = "") =>
    (await rep.get(`/api/calendar/free-slots?zone=America/New_York${query}`)).body;
  const days = (slots: { startTime: string }[]) =>
    new Set(
      slots.map(({ startTime }) =>
        DateTime.fromISO(startTime, { zone: "America/New_York" }).toFormat("yyyy-MM-dd"),
      ),
    );

  it("are offered for three days, four each, with the requested length; invalid input has a message", async () => {
    const rep = await portal.signIn();
    await rep.patch("/api/availability", { hours: everyHour });
    const { slots, google, readAt } = await free(rep, "&minutes=60");
    expect({ google, readAt }).toEqual({ google: "never_connected", readAt: null });
    expect(days(slots).size).toBe(3);
    expect(slots.length).toBeGreaterThan(8);
    for (const { startTime, endTime } of slots)
      expect(Date.parse(endTime) - Date.parse(startTime)).toBe(3_600_000);
    for (const query of ["&minutes=37", "&leadZone=Mars"])
      expect(await free(rep, query)).toMatchObject({ code: "invalid" });
    const forLead = (await free(rep, "&leadZone=Europe/Madrid")).slots;
    for (const { startTime } of forLead) {
      const { hour } = DateTime.fromISO(startTime, { zone: "Europe/Madrid" });
      expect(hour >= 8 && hour < 21).toBe(true);
    }
  });

  it("exclude busy times, and one booked by two goes to the first", async () => {
    const rep = await portal.signIn();
    await rep.patch("/api/availability", { hours: everyHour });
    const [slot] = (await free(rep)).slots;
    const book = (title: string) =>
      rep.post(path, { title, ...slot, clientRef: randomUUID(), onlyIfFree: true });
    const answers = await Promise.all([book("Offer for Eva"), book("Offer for Luz")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe("slot_taken");
    expect((await rep.get(path)).body).toHaveLength(1);
    expect((await free(rep)).slots).not.toContainEqual(slot);
    expect((await rep.post(path, { title: "On top of it", ...slot })).status).toBe(200);
  });
});
