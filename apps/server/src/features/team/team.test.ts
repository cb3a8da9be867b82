import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type CallHarness, eventually, openCallHarness } from "../../testing/call-harness.ts";
import { buildLead, buildUser } from "../../testing/factories.ts";
import { buildTestApp, type Client, type TestApp } from "../../testing/test-app.ts";
import { startSession } from "../dialer/start-session.ts";
import { transferLeads } from "./transfer-leads.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let desk: CallHarness;
/** Another process on the same database. */
let second: TestApp;
let admin: Client;
beforeAll(async () => {
  desk = await openCallHarness();
  second = await buildTestApp({ env: desk.env, listen: true, databaseUrl: desk.portal.deps.env.databaseUrl });
  admin = await desk.portal.signIn({ role: "admin" });
});
afterAll(async () => {
  await second?.close();
  await desk?.close();
});

const signIn = (email: string, password: string) =>
  desk.portal.request("POST", "/api/login/local", { body: { email, password } });
const member = async (id: number) =>
  (await admin.get("/api/team")).body.find((each: { id: number }) => each.id === id);
const audit = async (id: number) => {
  const { rows } = await desk.pool.query(
    "select action, data, user_id from audit_log where subject = $1 order by id",
    [`user:${id}`],
  );
  return rows;
};
const tokenOf = (url: string) => new URL(url).hash.slice(1);
const choose = (url: string, newPassword: string) =>
  desk.portal.request("POST", "/api/password-link", { body: { token: tokenOf(url), newPassword } });
/** Also signed in at the other process. */
const seenBySecond = (who: Client) => second.request("GET", "/api/current-user", { cookie: who.cookie });

it("team routes require an administrator, before the request is validated", async () => {
  const rep = await desk.portal.signIn();
  const requests = [
    ["GET", "/api/team"],
    ["POST", "/api/team"],
    ["PATCH", `/api/team/${admin.user.id}`],
    ["POST", `/api/team/${admin.user.id}/deactivate`],
    ["POST", `/api/team/${admin.user.id}/reactivate`],
    ["POST", `/api/team/${admin.user.id}/password-link`],
    ["DELETE", `/api/team/${admin.user.id}/sessions`],
    ["POST", `/api/team/${rep.user.id}/transfer-leads`],
  ] as const;
  for (const [method, path] of requests) {
    expect((await desk.portal.request(method, path)).status).toBe(401);
    expect((await desk.portal.request(method, path, { cookie: rep.cookie })).status).toBe(403);
  }
  expect(await member(admin.user.id)).toMatchObject({ disabledAt: null, role: "admin" });
});

describe("an account", () => {
  it("is created with a link by which its owner sets the first password", async () => {
    const sent = { name: "  Nora Quiles ", email: " Nora.Quiles@Example.com", language: "es" };
    const { status, body } = await admin.post("/api/team", sent);
    expect(status).toBe(200);
    const { id } = body.member;
    expect(body.member).toMatchObject({
      name: "Nora Quiles",
      email: "nora.quiles@example.com",
      role: "consultant",
      language: "es",
      hasPassword: false,
      linked: false,
      sessions: 0,
      leads: 0,
      disabledAt: null,
    });
    expect(await admin.post("/api/team", { ...sent, email: "nora.QUILES@example.com" })).toMatchObject({
      status: 409,
      body: { code: "email_taken" },
    });
    expect((await admin.post("/api/team", { name: " ", email: "x@example.com" })).status).toBe(400);
    expect((await admin.post("/api/team", { name: "X", email: "x" })).status).toBe(400);
    const broken = { name: "Ada\r\nBcc: spam@example.com\t\u0007", email: "broken.name@example.com" };
    expect((await admin.post("/api/team", broken)).body.member.name).toBe("Ada Bcc: spam@example.com");

    expect((await choose(body.link.url, "a-first-password")).status).toBe(200);
    expect((await signIn("nora.quiles@example.com", "a-first-password")).status).toBe(200);
    await buildLead(desk.portal.deps.database, { assignedTo: id });
    await buildLead(desk.portal.deps.database, { assignedTo: id, status: "converted" });
    expect(await member(id)).toMatchObject({ hasPassword: true, sessions: 1, leads: 1 });
    const { rows } = await desk.pool.query("select given_email from users where id = $1", [id]);
    expect(rows).toEqual([{ given_email: "nora.quiles@example.com" }]);
    expect(await audit(id)).toMatchObject([
      { action: "member-created", user_id: admin.user.id, data: { role: "consultant", name: "Nora Quiles" } },
      { action: "password-link", user_id: admin.user.id },
    ]);
    expect(JSON.stringify(await audit(id))).not.toContain(tokenOf(body.link.url));
  });

  it("can be changed: the new address signs in, the old one's link is invalid, and before and after are audited", async () => {
    const rep = await desk.portal.signIn({ name: "Old Name" });
    const { id } = rep.user;
    const link = (await admin.post(`/api/team/${id}/password-link`)).body;
    expect(link).toMatchObject({ url: expect.stringContaining("/choose-password#"), mailed: false });
    const change = (body: object) => admin.patch(`/api/team/${id}`, body);
    const email = `moved${id}@example.com`;
    expect(
      (await change({ name: "New Name", email: email.toUpperCase(), language: "es" })).body,
    ).toMatchObject({ name: "New Name", email, language: "es", sessions: 1 });
    expect((await choose(link.url, "stolen-password-1")).body.code).toBe("password_link_invalid");
    // The user's page reloads the current user and stays open.
    expect((await rep.get("/api/current-user")).body).toMatchObject({ name: "New Name", email });
    expect((await signIn(email, rep.user.password)).status).toBe(200);
    expect((await signIn(rep.user.email, rep.user.password)).status).toBe(401);
    const count = (await audit(id)).length;
    expect((await change({ name: "New Name", email })).status).toBe(200);
    expect(await audit(id)).toHaveLength(count);
    expect((await audit(id)).at(-1)).toMatchObject({
      action: "member-changed",
      user_id: admin.user.id,
      data: {
        changes: {
          name: { before: "Old Name", after: "New Name" },
          email: { before: rep.user.email, after: email },
          givenEmail: { after: email },
          language: { before: "en", after: "es" },
        },
      },
    });
    expect((await change({ email: admin.user.email })).body.code).toBe("email_taken");
    expect((await change({ password: "x" })).status).toBe(400);
    expect((await admin.patch("/api/team/2147483647", { name: "x" })).status).toBe(404);
  });

  it("is no longer matched by an old address that is given to somebody else", async () => {
    const rep = await desk.portal.signIn();
    const { id, email } = rep.user;
    await admin.patch(`/api/team/${id}`, { email });
    expect((await rep.patch("/api/profile", { email: `own${id}@example.com` })).status).toBe(200);
    const given = async () =>
      (await desk.pool.query("select id from users where given_email = $1", [email])).rows;
    expect(await given()).toEqual([{ id }]);
    const next = (await admin.post("/api/team", { name: "Next", email })).body.member;
    expect(await given()).toEqual([{ id: next.id }]);
  });

  it("ends all its sessions at once when the role changes, also in other processes", async () => {
    const rep = await desk.portal.signIn();
    expect((await seenBySecond(rep)).status).toBe(200);
    await admin.patch(`/api/team/${rep.user.id}`, { role: "admin" });
    expect((await rep.get("/api/current-user")).status).toBe(401);
    await eventually("the other process to hear of it", async () => (await seenBySecond(rep)).status === 401);
    expect((await signIn(rep.user.email, rep.user.password)).body.user.role).toBe("admin");
    await admin.patch(`/api/team/${rep.user.id}`, { role: "consultant" });
  });

  it("is signed out everywhere on request, and may sign in again", async () => {
    const rep = await desk.portal.signIn();
    await signIn(rep.user.email, rep.user.password);
    expect((await admin.delete(`/api/team/${rep.user.id}/sessions`)).body).toEqual({ ended: 2 });
    expect((await rep.get("/api/current-user")).status).toBe(401);
    expect((await signIn(rep.user.email, rep.user.password)).status).toBe(200);
    expect((await audit(rep.user.id)).map(({ action }) => action)).toContain("member-signed-out");
  });
});

describe("the last administrator", () => {
  it("cannot be demoted or closed, and of two who demote each other concurrently one is rejected", async () => {
    // The other accounts of this file are not administrators meanwhile.
    const others = "role = 'admin' and disabled_at is null returning id";
    const { rows } = await desk.pool.query(`update users set role = 'consultant' where ${others}`);
    const [one, two] = [
      await desk.portal.signIn({ role: "admin" }),
      await desk.portal.signIn({ role: "admin" }),
    ];
    const consultant = { role: "consultant" };
    const answers = await Promise.all([
      one.patch(`/api/team/${two.user.id}`, consultant),
      second.request("PATCH", `/api/team/${one.user.id}`, { cookie: two.cookie, body: consultant }),
    ]);
    const [done, refused] = answers.map(({ status }) => status).sort();
    expect(done).toBe(200);
    // The user demoted first has lost the session or the permission.
    expect([401, 403]).toContain(refused);
    const last = answers[0]?.status === 200 ? one : two;
    const own = `/api/team/${last.user.id}`;
    expect((await last.patch(own, consultant)).body.code).toBe("last_admin");
    expect((await last.post(`${own}/deactivate`)).body.code).toBe("invalid");
    const other = await desk.portal.signIn({ role: "admin" });
    expect((await other.post(`${own}/deactivate`)).status).toBe(200);
    expect((await other.patch(`/api/team/${other.user.id}`, consultant)).body.code).toBe("last_admin");
    // A closed account does not count and may lose the role.
    expect((await other.patch(own, consultant)).body.role).toBe("consultant");
    expect((await other.post(`/api/team/${other.user.id}/password-link`)).body.code).toBe("invalid");
    const ids = rows.map(({ id }) => id);
    await desk.pool.query("update users set role = 'admin' where id = any($1)", [ids]);
    await desk.portal.deps.sessions.forget(admin.user.id);
  });
});

describe("a closed account", () => {
  it("loses access at once: sessions, streams, links and dialer session end everywhere; a running call continues", async () => {
    const rep = await desk.signInRep();
    const leads = [await desk.leadOf(rep), await desk.leadOf(rep)];
    await desk.byHand(leads[0]?.phoneE164 ?? null);
    await desk.byHand(leads[1]?.phoneE164 ?? null);
    const link = (await admin.post(`/api/team/${rep.user.id}/password-link`)).body;
    const stream = await fetch(`${second.url}/api/events`, { headers: { cookie: rep.cookie } });
    const streamEnds = stream.text();

    const session = (await rep.post("/api/dialer/start", { source: { kind: "filter", status: "all" } })).body;
    const call = await eventually("the lead's phone to ring", async () => {
      const live = (await rep.get("/api/calls/live")).body.call;
      return live?.state === "ringing_lead" && live;
    });
    const phone = leads.find(({ id }) => id === call.leadId)?.phoneE164;
    const [leg] = await eventually("the lead's leg", async () => {
      const legs = await desk.legsTo(phone);
      return legs.length > 0 && legs;
    });

    const closed = await admin.post(`/api/team/${rep.user.id}/deactivate`);
    expect(closed).toMatchObject({ status: 200, body: { sessions: 0, leads: 2 } });
    expect(closed.body.disabledAt).not.toBeNull();
    expect((await rep.get("/api/current-user")).status).toBe(401);
    await eventually("the other process to hear of it", async () => (await seenBySecond(rep)).status === 401);
    expect(await streamEnds).toContain('"topic":"session"');
    expect((await choose(link.url, "a-new-password-1")).body.code).toBe("password_link_invalid");
    expect((await signIn(rep.user.email, rep.user.password)).status).toBe(401);
    expect((await admin.post(`/api/team/${rep.user.id}/password-link`)).body.code).toBe("invalid");

    const dialler = async () =>
      (await desk.pool.query("select status, position from dialer_sessions where id = $1", [session.id]))
        .rows[0];
    expect(await dialler()).toEqual({ status: "stopped", position: 0 });
    await desk.phone(leg?.sid ?? "", "answer");
    await eventually("the two to talk", async () => (await desk.legsTo(phone))[0]?.activity === "bridged");
    await desk.phone(leg?.sid ?? "", "hangup");
    expect(await desk.untilSettled(admin, call.id)).toMatchObject({ state: "ended", result: "answered" });
    expect(await dialler()).toEqual({ status: "stopped", position: 0 });
    const { rows } = await desk.pool.query("select lead_id from calls where user_id = $1", [rep.user.id]);
    expect(rows).toEqual([{ lead_id: call.leadId }]);
    const { rows: leased } = await desk.pool.query(
      "select 1 from dialer_items where session_id = $1 and leased_at is not null",
      [session.id],
    );
    expect(leased).toEqual([]);

    expect((await admin.post(`/api/team/${rep.user.id}/deactivate`)).status).toBe(200);
    const reopened = await admin.post(`/api/team/${rep.user.id}/reactivate`);
    expect(reopened.body).toMatchObject({ disabledAt: null, sessions: 0 });
    expect((await rep.get("/api/current-user")).status).toBe(401);
    expect((await signIn(rep.user.email, rep.user.password)).status).toBe(200);
    const acts = (await audit(rep.user.id)).map(({ action }) => action);
    // The refused sign-in is the one to the closed account.
    expect(acts).toEqual(["password-link", "member-closed", "sign-in-failed", "member-reopened"]);
  });

  it("cannot start a session while it is being closed, and nothing is dialed", async () => {
    const rep = await desk.signInRep();
    await desk.leadOf(rep);
    const { database, dialer } = desk.portal.deps;
    const actor = { ...rep.user, userId: rep.user.id, sessionId: 0 };
    await database.pool.query("update users set disabled_at = now() where id = $1", [rep.user.id]);
    const source = { kind: "filter", status: "all" } as const;
    await expect(
      startSession(dialer, { actor, source, order: "createdAt", includeTried: false, delaySeconds: 5 }),
    ).rejects.toMatchObject({ code: "unauthenticated" });
    const { rows } = await desk.pool.query(
      "select 1 from dialer_sessions where user_id = $1 union select 1 from calls where user_id = $1",
      [rep.user.id],
    );
    expect(rows).toEqual([]);
  });
});

describe("reassigning the leads of a user", () => {
  it("distributes them in turns over several requests, with timeline and audit; clients stay", async () => {
    const { database } = desk.portal.deps;
    const gone = await buildUser(database, { name: "Gone Person" });
    const [ana, luis, sara] = [
      await buildUser(database),
      await buildUser(database),
      await buildUser(database),
    ];
    const count = 11;
    for (let made = 0; made < count; made += 1) await buildLead(database, { assignedTo: gone.id });
    const client = await buildLead(database, { assignedTo: gone.id, status: "converted" });
    await admin.post(`/api/team/${gone.id}/deactivate`);
    const path = `/api/team/${gone.id}/transfer-leads`;
    for (const to of [[], [admin.user.id], [gone.id], [ana.id, 2_147_483_647]])
      expect((await admin.post(path, { to })).status).toBe(400);
    expect((await admin.post("/api/team/2147483647/transfer-leads", { to: [ana.id] })).status).toBe(404);
    expect(await member(gone.id)).toMatchObject({ leads: count, assigned: count + 1 });
    // The rows that the count links to.
    expect((await admin.get(`/api/leads/all?rep=${gone.id}`)).body).toHaveLength(count + 1);

    const to = [ana.id, luis.id, sara.id, ana.id];
    const actor = { ...admin.user, userId: admin.user.id, sessionId: 0 };
    const { contactPolicy, jobs } = desk.portal.deps;
    const context = { database, contactPolicy, jobs, orgTimeZone: "America/New_York" };
    const first = { actor, memberId: gone.id, to, notes: "Left us", limit: 4 };
    expect(await transferLeads(context, first)).toEqual({ transferred: 4, left: 7 });
    const rest = await admin.post(path, { to, notes: "  Left us " });
    expect(rest.body).toEqual({ transferred: 7, left: 0 });
    expect((await admin.post(path, { to })).body).toEqual({ transferred: 0, left: 0 });
    const given = await Promise.all([ana, luis, sara].map(async ({ id }) => (await member(id)).leads));
    expect(given.sort()).toEqual([3, 4, 4]);
    const { rows } = await desk.pool.query(
      `select count(*)::int as n from lead_events where kind = 'assigned' and user_id = $1
         and (data->>'before')::int = $2 and (data->>'after')::int = any($3) and data->>'notes' = 'Left us'`,
      [admin.user.id, gone.id, to],
    );
    expect(rows).toEqual([{ n: count }]);
    const kept = await desk.pool.query("select assigned_to from leads where id = $1", [client.id]);
    expect(kept.rows).toEqual([{ assigned_to: gone.id }]);
    const acts = (await audit(gone.id)).filter(({ action }) => action === "member-leads-transferred");
    expect(acts.map(({ data }) => data.transferred)).toEqual([4, 7]);
  });

  it("assigns each once when two administrators do it concurrently", async () => {
    const { database } = desk.portal.deps;
    const gone = await buildUser(database);
    const takers = [await buildUser(database), await buildUser(database)];
    for (let made = 0; made < 8; made += 1) await buildLead(database, { assignedTo: gone.id });
    const other = await desk.portal.signIn({ role: "admin" });
    const answers = await Promise.all(
      [admin, other].map((who, index) =>
        who.post(`/api/team/${gone.id}/transfer-leads`, { to: [takers[index]?.id] }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers.reduce((sum, { body }) => sum + body.transferred, 0)).toBe(8);
    const { rows } = await desk.pool.query(
      "select count(*)::int as n from lead_events where kind = 'assigned' and (data->>'before')::int = $1",
      [gone.id],
    );
    expect(rows).toEqual([{ n: 8 }]);
  });
});
