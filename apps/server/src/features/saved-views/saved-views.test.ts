import type { LocalTimeFilter } from "@portal/contract/entities/lead-list";
import { leadSorts } from "@portal/contract/entities/lead-list";
import { DateTime } from "luxon";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildLead } from "../../testing/factories.ts";
import { buildTestApp, type Client, type TestApp } from "../../testing/test-app.ts";

let app: TestApp;
let ana: Client;
let luis: Client;
let admin: Client;
beforeAll(async () => {
  app = await buildTestApp();
  [ana, luis, admin] = [await app.signIn(), await app.signIn(), await app.signIn({ role: "admin" })];
});
afterAll(() => app.close());

const days = (count: number) => new Date(Date.now() + count * 86_400_000);

describe("the filters of the leads list", () => {
  const names = async (as: Client, query: string) =>
    ((await as.get(`/api/leads?${query}`)).body as { name: string }[]).map(({ name }) => name);

  beforeAll(async () => {
    const { database } = app.deps;
    const lead = (name: string, values: Parameters<typeof buildLead>[1], assignedTo = ana.user.id) =>
      buildLead(database, { name, assignedTo, timeZone: "America/New_York", leadSource: "Web", ...values });
    await lead("Fresh", { createdAt: days(-1) });
    await lead("Once", {
      createdAt: days(-2),
      attempts: 1,
      lastAttemptAt: days(-1),
      lastContactedAt: days(-1),
      nextFollowUpDate: days(-3),
      leadSource: "Fair",
    });
    await lead("Twice", {
      createdAt: days(-3),
      attempts: 2,
      lastAttemptAt: days(-20),
      lastContactedAt: days(-20),
      nextFollowUpDate: days(3),
      timeZone: "Pacific/Honolulu",
    });
    await lead("Often", {
      createdAt: days(-4),
      attempts: 7,
      lastAttemptAt: days(-60),
      lastContactedAt: days(-60),
      nextFollowUpDate: days(30),
      unreadTexts: 2,
    });
    await lead("Client", {
      createdAt: days(-5),
      status: "converted",
      nextFollowUpDate: days(-9),
      timeZone: null,
    });
    await lead("Somebody else's", { unreadTexts: 1, attempts: 1, nextFollowUpDate: days(-3) }, luis.user.id);
  });

  it.each([
    ["attempts=none", ["Fresh", "Client"]],
    ["attempts=one", ["Once"]],
    ["attempts=two", ["Twice"]],
    ["attempts=more", ["Often"]],
    ["lastContact=never", ["Fresh", "Client"]],
    ["lastContact=week", ["Once"]],
    ["lastContact=month", ["Once", "Twice"]],
    ["lastContact=older", ["Often"]],
    ["followUp=overdue", ["Once"]],
    ["followUp=week", ["Twice"]],
    ["followUp=later", ["Often"]],
    ["followUp=any", ["Once", "Twice", "Often"]],
    ["followUp=none", ["Fresh"]],
    ["unread=yes", ["Often"]],
    ["source=Fair", ["Once"]],
    ["attempts=one&followUp=overdue&source=Fair&search=onc", ["Once"]],
    ["sort=attempt", ["Fresh", "Client", "Often", "Twice", "Once"]],
    ["sort=attempt_desc", ["Once", "Twice", "Often", "Client", "Fresh"]],
    ["sort=follow_up", ["Client", "Once", "Twice", "Often", "Fresh"]],
    ["sort=name", ["Client", "Fresh", "Often", "Once", "Twice"]],
  ])("%s returns only the matching leads of a consultant", async (query, expected) => {
    expect(await names(ana, query)).toEqual(expected);
    // An administrator's list has everyone's leads, including these.
    expect(await names(admin, query)).toEqual(expect.arrayContaining(expected));
  });

  it("include leads by the hours on their own clock", async () => {
    const within = (part: LocalTimeFilter, zone: string) => {
      const { hour } = DateTime.now().setZone(zone);
      const [from, until] = { day: [8, 20], morning: [8, 12], afternoon: [12, 17], evening: [17, 21] }[part];
      return hour >= Number(from) && hour < Number(until);
    };
    for (const part of ["day", "morning", "afternoon", "evening"] as const)
      expect(new Set(await names(ana, `localTime=${part}`))).toEqual(
        new Set([
          ...(within(part, "America/New_York") ? ["Fresh", "Once", "Often"] : []),
          ...(within(part, "Pacific/Honolulu") ? ["Twice"] : []),
        ]),
      );
    // If the CRM contact has a zone too, the time must match in both.
    await app.deps.database.pool.query(
      `update leads set extra = '{"timeZone": "Pacific/Honolulu"}' where name = 'Fresh'`,
    );
    for (const part of ["morning", "afternoon", "evening"] as const)
      expect(await names(ana, `localTime=${part}`)).not.toContain("Fresh");
  });

  it("page through every order without gaps or repeats, and reject unknown values", async () => {
    for (const sort of leadSorts) {
      const whole = await names(ana, `sort=${sort}`);
      const paged: string[] = [];
      let cursor = "";
      do {
        const page = await ana.get(`/api/leads?sort=${sort}&limit=2&cursor=${cursor}`);
        paged.push(...page.body.map(({ name }: { name: string }) => name));
        cursor = String(page.headers["x-next-cursor"] ?? "");
      } while (cursor);
      expect(paged).toEqual(whole);
    }
    for (const query of ["attempts=five", "lastContact=soon", "localTime=night", "sort=phone", "unread=no"])
      expect((await ana.get(`/api/leads?${query}`)).status).toBe(400);
  });
});

describe("saved views", () => {
  const views = async (as: Client, page = "leads") => (await as.get(`/api/saved-views?page=${page}`)).body;

  it("are personal or shared, each a valid query of the list, in the user's order", async () => {
    const body = { page: "leads", name: "  Due \n today ", query: "followUp=today&status=&sort=follow_up" };
    expect((await app.request("POST", "/api/saved-views", { body })).status).toBe(401);
    const due = await ana.post("/api/saved-views", body);
    expect(due).toMatchObject({
      status: 200,
      body: { name: "Due today", query: "followUp=today&sort=follow_up", isForEverybody: false },
    });
    const busy = await ana.post("/api/saved-views", { ...body, name: "Busy", query: "columns=name,status" });
    const everybodys = await admin.post("/api/saved-views", {
      ...body,
      name: "Unread",
      query: "unread=yes",
      isForEverybody: true,
    });

    // Shared views come first; nobody sees another user's own views, not even administrators.
    expect((await views(ana)).map(({ name }: { name: string }) => name)).toEqual([
      "Unread",
      "Due today",
      "Busy",
    ]);
    for (const as of [luis, admin]) expect(await views(as)).toMatchObject([{ name: "Unread" }]);
    expect(await views(ana, "all-leads")).toEqual([]);

    const ordered = await ana.post("/api/saved-views/order", { page: "leads", ids: [busy.body.id] });
    expect(ordered.body.map(({ name }: { name: string }) => name)).toEqual(["Unread", "Busy", "Due today"]);
    expect(await views(ana)).toEqual(ordered.body);
    const renamed = await ana.patch(`/api/saved-views/${busy.body.id}`, { name: "Mine" });
    expect(renamed.body).toMatchObject({ name: "Mine", query: "columns=name%2Cstatus" });

    // The view's query gives the list, including its count.
    const counted = await ana.get(`/api/leads?${everybodys.body.query}&limit=1`);
    expect(counted.headers["x-total-count"]).toBe("1");

    for (const [as, status] of [
      [ana, 403],
      [luis, 403],
    ] as const) {
      expect((await as.patch(`/api/saved-views/${everybodys.body.id}`, { name: "Taken" })).status).toBe(
        status,
      );
      expect((await as.delete(`/api/saved-views/${everybodys.body.id}`)).status).toBe(status);
      expect((await as.post("/api/saved-views", { ...body, isForEverybody: true })).status).toBe(403);
      const order = { page: "leads", isForEverybody: true, ids: [everybodys.body.id] };
      expect((await as.post("/api/saved-views/order", order)).status).toBe(403);
    }
    for (const as of [luis, admin]) {
      expect((await as.patch(`/api/saved-views/${due.body.id}`, { name: "Taken" })).status).toBe(404);
      expect((await as.delete(`/api/saved-views/${due.body.id}`)).status).toBe(404);
      expect((await as.post("/api/saved-views/order", { page: "leads", ids: [due.body.id] })).status).toBe(
        404,
      );
    }
    expect((await ana.delete(`/api/saved-views/${due.body.id}`)).status).toBe(200);
    expect((await views(ana)).map(({ name }: { name: string }) => name)).toEqual(["Unread", "Mine"]);
  });

  it("reject invalid input with a reason and change nothing", async () => {
    const before = await views(luis);
    const good = { page: "leads", name: "Good", query: "status=new" };
    for (const bad of [
      { name: " \n" },
      { name: "x".repeat(201) },
      { page: "reports" },
      { query: "status=gone" },
      { query: "limit=5" },
      { query: "unknown=true" },
      { query: "columns=name,<b>" },
      { query: `search=${"x".repeat(201)}` },
      { isForEverybody: "yes" },
    ]) {
      const refused = await luis.post("/api/saved-views", { ...good, ...bad });
      expect(refused.status, JSON.stringify(bad)).toBe(400);
      expect(refused.body.message).not.toBe("");
    }
    expect(await views(luis)).toEqual(before);
    // Each list has its own filters.
    for (const [page, query] of [
      ["all-leads", "assignment=unassigned&localTime=day"],
      ["contacts", "filter=high_value&sort=value"],
      ["call-history", "outcome=busy&range=week&unknown=true"],
    ])
      expect((await luis.post("/api/saved-views", { page, name: "Good", query })).status).toBe(200);
    for (let n = 0; n < 50; n += 1) await luis.post("/api/saved-views", { ...good, name: `View ${n}` });
    expect((await luis.post("/api/saved-views", good)).status).toBe(400);
    expect(await views(luis)).toHaveLength(before.length + 50);
  });

  it("for everybody are audited with their previous values; personal ones are not", async () => {
    const view = await admin.post("/api/saved-views", {
      page: "all-leads",
      name: "Nobody's",
      query: "assignment=unassigned",
      isForEverybody: true,
    });
    await admin.patch(`/api/saved-views/${view.body.id}`, { name: "Unassigned" });
    // Nothing changes: nothing is published.
    await admin.patch(`/api/saved-views/${view.body.id}`, { name: "Unassigned" });
    await admin.delete(`/api/saved-views/${view.body.id}`);
    await admin.post("/api/saved-views", { page: "all-leads", name: "Own", query: "" });
    const { rows } = await app.deps.database.pool.query(
      "select action, data from audit_log where action like 'shared-view-%' and data ->> 'page' = 'all-leads' order by id",
    );
    expect(rows).toEqual([
      {
        action: "shared-view-created",
        data: { page: "all-leads", name: "Nobody's", query: "assignment=unassigned" },
      },
      {
        action: "shared-view-changed",
        data: { page: "all-leads", name: "Unassigned", nameBefore: "Nobody's" },
      },
      {
        action: "shared-view-deleted",
        data: { page: "all-leads", name: "Unassigned", query: "assignment=unassigned" },
      },
    ]);
  });
});

it("the layout of lists is saved with the account, list by list", async () => {
  const keep = (lists: object) => ana.patch("/api/interface-settings", { lists });
  expect((await ana.get("/api/current-user")).body.lists).toEqual({});
  await keep({ leads: { layout: "rows", columns: ["name", "lastAttempt"] } });
  expect((await keep({ contacts: { layout: "rows" } })).body.lists).toEqual({
    leads: { layout: "rows", columns: ["name", "lastAttempt"] },
    contacts: { layout: "rows" },
  });
  for (const bad of [
    { reports: {} },
    { leads: { layout: "grid" } },
    { leads: { columns: ["a b"] } },
    { leads: { columns: [] } },
  ])
    expect((await keep(bad)).status).toBe(400);
  expect((await ana.get("/api/current-user")).body.lists.leads.layout).toBe("rows");
  expect((await luis.get("/api/current-user")).body.lists).toEqual({});
  // The same holds for the sidebar's pin, which changes nothing else.
  expect((await ana.patch("/api/interface-settings", { sidebarPinned: true })).body.sidebarPinned).toBe(true);
  expect((await ana.get("/api/current-user")).body).toMatchObject({
    sidebarPinned: true,
    lists: { leads: { layout: "rows" } },
  });
  expect((await luis.get("/api/current-user")).body.sidebarPinned).toBe(false);
});
