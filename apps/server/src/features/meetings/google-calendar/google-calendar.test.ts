import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { sql } from "../../../platform/db/query.ts";
import { leadEvents } from "../../../platform/db/schema/leads.ts";
import { googleAccounts, meetings } from "../../../platform/db/schema/meetings.ts";
import { users } from "../../../platform/db/schema/users.ts";
import { buildLead } from "../../../testing/factories.ts";
import { type GoogleHarness, openGoogleHarness } from "../../../testing/google-harness.ts";
import { buildTestApp, type Client } from "../../../testing/test-app.ts";
import { findDueAccounts } from "./repository.ts";
import { syncAccount } from "./sync-account.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 30_000 });

let desk: GoogleHarness;
let ana: Client;

beforeAll(async () => {
  desk = await openGoogleHarness();
});
afterAll(() => desk?.close());
beforeEach(async () => {
  await desk.sandbox.control("POST", "/reset");
  ana = await desk.app.signIn();
});

const db = () => desk.app.deps.database.db;
const google = () => desk.app.deps.google;
const sync = (client: Client = ana) => client.post("/api/google/sync");
const status = async (client: Client = ana) => (await client.get("/api/google/status")).body;
const day = (days: number, hour = 15) => {
  const date = new Date(Date.now() + days * 86_400_000);
  date.setUTCHours(hour, 0, 0, 0);
  return date.toISOString();
};
const half = (from: string) => new Date(Date.parse(from) + 1_800_000).toISOString();

async function schedule(fields: object = {}, client: Client = ana): Promise<{ id: number }> {
  const startTime = day(2);
  const answer = await client.post("/api/calendar/events", {
    title: "Offer for Eva",
    startTime,
    endTime: half(startTime),
    timeZone: "America/New_York",
    ...fields,
  });
  expect(answer.status).toBe(200);
  return answer.body;
}

async function rowOf(id: number) {
  const [row] = await db().select().from(meetings).where(eq(meetings.id, id));
  if (!row) throw new Error("no meeting");
  return row;
}

const listed = async (client: Client = ana) => (await client.get("/api/calendar/events")).body;
const change = (id: string, fields: object) =>
  desk.sandbox.control("PATCH", `/google/events/${id}`, { account: ana.user.email, ...fields });
const requests = async (): Promise<{ method: string; body: object }[]> =>
  (await desk.sandbox.control("GET", "/requests?vendor=google&path=/calendar/v3")).requests;
const writes = async () => (await requests()).filter(({ method }) => method !== "GET");
/** How often Google was asked for events. */
const reads = async () => (await requests()).filter(({ method }) => method === "GET").length;

/** A meeting that exists on both sides. */
async function shared(fields: object = {}) {
  await desk.connect(ana);
  const { id } = await schedule(fields);
  await sync();
  const [event] = await desk.events(ana);
  return { id, event };
}

describe("the consent at Google", () => {
  it("requires a session, and is off without Google keys", async () => {
    for (const path of ["status", "auth", "callback"])
      expect((await desk.app.request("GET", `/api/google/${path}`)).status).toBe(401);
    const browser = { headers: { accept: "text/html,application/xhtml+xml" } };
    const lost = await desk.app.request("GET", "/api/google/callback?state=x&code=y", browser);
    expect(lost).toMatchObject({ status: 303, headers: { location: "/calendar?google=signed-out" } });
    expect((await desk.app.request("GET", "/api/google/status", browser)).status).toBe(401);
    const off = await buildTestApp({
      env: {
        NODE_ENV: "production",
        PUBLIC_URL: "http://127.0.0.1:5998",
        SESSION_SECRET: "s".repeat(32),
        ENCRYPTION_KEY: "e".repeat(32),
        ADMIN_EMAIL: "boss@example.com",
      },
    });
    const eva = await off.signIn();
    expect((await eva.get("/api/google/status")).body).toMatchObject({ connected: false, state: "off" });
    expect((await eva.get("/api/google/auth")).body.code).toBe("provider_off");
    expect((await schedule({}, eva)).id).toBeGreaterThan(0);
    await off.close();
  });

  it("connects once, with encrypted tokens, and never with a repeated, foreign or missing state", async () => {
    expect(await status()).toMatchObject({ connected: false, state: "never_connected" });
    const other = await desk.app.signIn();
    const callback = await desk.consent(ana);
    expect((await other.get(callback)).headers.location).toBe("/calendar?google=failed");
    expect((await ana.get(callback)).headers.location).toBe("/calendar?google=connected");
    expect(await status()).toMatchObject({ connected: true, state: "connected", email: ana.user.email });
    expect((await ana.get(callback)).headers.location).toBe("/calendar?google=failed");
    expect((await ana.get("/api/google/callback?code=x")).headers.location).toBe("/calendar?google=failed");
    expect(await status(other)).toMatchObject({ state: "never_connected" });
    const [account] = await db().select().from(googleAccounts).where(eq(googleAccounts.userId, ana.user.id));
    expect(account?.tokens).toMatch(/^v1:/);
    expect(account?.tokens).not.toContain("1//");
  });

  it("leaves the calendar disconnected when it is denied, partial or fails at the token exchange", async () => {
    const denied = await ana.get(await desk.consent(ana, { decision: "deny" }));
    expect(denied.headers.location).toBe("/calendar?google=denied");
    const partly = await ana.get(await desk.consent(ana, { scope: ["openid", "email"] }));
    expect(partly.headers.location).toBe("/calendar?google=denied");
    expect((await desk.sandbox.control("GET", "/google/grants")).grants).toEqual([]);
    // The code of another consent does not match this one's PKCE verifier.
    const first = new URL(await desk.consent(ana), "http://portal");
    const second = new URL(await desk.consent(ana), "http://portal");
    second.searchParams.set("code", String(first.searchParams.get("code")));
    const mixed = await ana.get(`${second.pathname}${second.search}`);
    expect(mixed.headers.location).toBe("/calendar?google=failed");
    expect(await status()).toMatchObject({ state: "never_connected" });
  });
});

describe("a meeting scheduled here", () => {
  it("is created in Google with its guests and a Meet link, updated and deleted there", async () => {
    const { id } = await shared({ attendeeEmails: "eva@example.com, luz@example.com", wantsMeetLink: true });
    const [event] = await desk.events(ana);
    expect(event).toMatchObject({
      summary: "Offer for Eva",
      start: { timeZone: "America/New_York" },
      extendedProperties: { private: { portalEventId: String(id) } },
      attendees: [{ email: "eva@example.com" }, { email: "luz@example.com" }],
    });
    const [mine] = await listed();
    expect(mine).toMatchObject({ sync: "synced", meetingLink: event.hangoutLink });

    await ana.patch(`/api/calendar/events/${id}`, { title: "Contract for Eva" });
    expect(await status()).toMatchObject({ pending: 1 });
    await sync();
    expect(await desk.events(ana)).toMatchObject([
      { id: event.id, summary: "Contract for Eva", hangoutLink: event.hangoutLink },
    ]);
    const [insert, patch] = await writes();
    expect(Object.values(insert?.body ?? { body: null })).not.toContain(null);
    expect(patch).toMatchObject({
      method: "PATCH",
      query: { conferenceDataVersion: "1", sendUpdates: "all" },
      body: { summary: "Contract for Eva" },
    });

    await ana.delete(`/api/calendar/events/${id}`);
    await sync();
    expect(await desk.events(ana)).toMatchObject([{ id: event.id, status: "cancelled" }]);
    expect(await rowOf(id)).toMatchObject({ sync: "none", googleEventId: null });
  });

  it("keeps responses of guests and rooms when the guests change here", async () => {
    const { id, event } = await shared({ attendeeEmails: "eva@example.com, luz@example.com" });
    const eva = { email: "eva@example.com", responseStatus: "accepted" };
    const room = { email: "room@example.com", responseStatus: "accepted", resource: true };
    await change(event.id, { attendees: [eva, { email: "luz@example.com" }, room] });
    await ana.patch(`/api/calendar/events/${id}`, { attendeeEmails: "eva@example.com, sol@example.com" });
    await sync();
    const sol = { email: "sol@example.com", responseStatus: "needsAction" };
    expect(await desk.events(ana)).toMatchObject([{ attendees: [eva, room, sol] }]);
    expect(await rowOf(id)).toMatchObject({ attendeeEmails: "eva@example.com, sol@example.com" });
  });

  it("is not duplicated when the response to its insert is lost", async () => {
    await desk.connect(ana);
    const { id } = await schedule();
    await desk.failNext({ method: "POST", match: "/events", afterAct: true, reset: true });
    const read = await reads();
    expect((await sync()).status).toBe(502);
    expect(await reads(), "the person would wait for a second response").toBe(read);
    expect(await rowOf(id)).toMatchObject({ sync: "pending" });
    await ana.patch(`/api/calendar/events/${id}`, { title: "Later title" });
    await sync();
    expect(await desk.events(ana)).toMatchObject([{ summary: "Later title", status: "confirmed" }]);
    expect(await rowOf(id)).toMatchObject({ sync: "synced" });
  });

  it("waits while Google is busy or unavailable, and reports what Google rejects permanently", async () => {
    await desk.connect(ana);
    const { id } = await schedule();
    for (const status of [429, 500]) {
      await desk.failNext({ method: "POST", match: "/events", status });
      expect((await sync()).status).toBe(502);
      expect(await rowOf(id)).toMatchObject({ sync: "pending", syncError: null });
    }
    await desk.failNext({ method: "POST", match: "/events", status: 400 });
    await sync();
    expect(await rowOf(id)).toMatchObject({ sync: "failed", syncError: expect.stringContaining("400") });
    await ana.patch(`/api/calendar/events/${id}`, { title: "Once more" });
    await sync();
    expect(await rowOf(id)).toMatchObject({ sync: "synced", syncError: null });
  });

  it("gets its Meet link later when Google delays it", async () => {
    await desk.sandbox.control("POST", "/google/meet", { mode: "pending" });
    const { id } = await shared({ wantsMeetLink: true });
    expect(await rowOf(id)).toMatchObject({ sync: "pending", meetingLink: null });
    await desk.sandbox.control("POST", "/google/meet", { mode: "success" });
    await sync();
    expect(await rowOf(id)).toMatchObject({
      sync: "synced",
      meetingLink: expect.stringContaining("meet.google.com"),
    });
    const ofMeet = (await writes()).filter(({ body }) => "conferenceData" in body);
    expect(ofMeet).toHaveLength(1);
  });

  it("waits while nobody is connected and is created on connecting", async () => {
    const { id } = await schedule();
    expect(await rowOf(id)).toMatchObject({ sync: "none" });
    await desk.connect(ana);
    expect(await findDueAccounts(db())).toContain(ana.user.id);
    await sync();
    expect(await desk.events(ana)).toHaveLength(1);
    expect(await findDueAccounts(db())).not.toContain(ana.user.id);
    // A meeting scheduled while the account was being connected, so that neither side noticed the other.
    await db()
      .update(meetings)
      .set({ sync: "none" })
      .where(eq(meetings.id, (await schedule()).id));
    await sync();
    expect(await desk.events(ana)).toHaveLength(2);
  });

  it("is retried when Google says, and less often the longer it is unavailable", async () => {
    await desk.connect(ana);
    const { id } = await schedule();
    const fails = async (rule: object) => {
      await desk.failNext({ method: "POST", match: "/events", ...rule });
      await desk.failNext({ method: "GET", match: "/events", status: 503 });
      expect((await sync()).status).toBe(502);
    };
    const passes = (seconds: number) =>
      db()
        .update(googleAccounts)
        .set({
          claimedAt: sql`${googleAccounts.claimedAt} - make_interval(secs => ${seconds})`,
          connectedAt: sql`${googleAccounts.connectedAt} - make_interval(secs => ${seconds})`,
        })
        .where(eq(googleAccounts.userId, ana.user.id));
    const isDue = async () => (await findDueAccounts(db())).includes(ana.user.id);
    await fails({ status: 503 });
    await passes(80);
    expect(await isDue()).toBe(true);
    await fails({ status: 429, retryAfterSeconds: 600 });
    await passes(500);
    expect(await isDue()).toBe(false);
    await passes(150);
    expect(await isDue()).toBe(true);
    await fails({ status: 503 });
    await passes(80);
    expect(await isDue()).toBe(false);
    await passes(250);
    expect(await isDue()).toBe(true);
    await sync();
    expect(await rowOf(id)).toMatchObject({ sync: "synced" });
  });

  it("moves to the calendar of its new consultant", async () => {
    const luis = await desk.app.signIn();
    await desk.connect(luis);
    const { id } = await shared();
    await db()
      .update(meetings)
      .set({ userId: luis.user.id, version: 2, sync: "pending" })
      .where(eq(meetings.id, id));
    await sync(luis);
    expect(await desk.events(luis)).toEqual([]);
    await sync();
    await sync(luis);
    expect(await desk.events(ana)).toMatchObject([{ status: "cancelled" }]);
    expect(await desk.events(luis)).toMatchObject([{ summary: "Offer for Eva", status: "confirmed" }]);
    await sync();
    expect(await rowOf(id)).toMatchObject({ sync: "synced", deletedAt: null, googleUserId: luis.user.id });
    // If the new consultant has no Google account, the guests get no cancellation.
    const { id: other } = await schedule({ attendeeEmails: "eva@example.com" });
    await sync();
    await luis.delete("/api/google/disconnect");
    await db()
      .update(meetings)
      .set({ userId: luis.user.id, version: 2, sync: "pending" })
      .where(eq(meetings.id, other));
    await sync();
    expect((await writes()).at(-1)).toMatchObject({ method: "DELETE", query: { sendUpdates: "none" } });
    expect(await rowOf(other)).toMatchObject({ sync: "none", deletedAt: null, googleEventId: null });
  });
});

it("the calendar of a closed account is no longer synced, and meetings handed over are removed from it", async () => {
  const luis = await desk.app.signIn();
  await desk.connect(luis);
  await sync(luis);
  const { id, event } = await shared();
  const { id: kept } = await schedule({ title: "Dentist" });
  await sync();
  const { user } = ana;
  await db().update(users).set({ disabledAt: new Date() }).where(eq(users.id, user.id));
  await db()
    .update(googleAccounts)
    .set({ claimedAt: sql`${googleAccounts.claimedAt} - interval '1 hour'`, lastSyncedAt: null })
    .where(eq(googleAccounts.userId, user.id));
  expect(await findDueAccounts(db())).not.toContain(user.id);
  const [, dentist] = await desk.events(ana);
  await change(dentist.id, { summary: "Private now" });
  await db()
    .update(meetings)
    .set({ userId: luis.user.id, version: 2, sync: "pending", updatedAt: new Date() })
    .where(eq(meetings.id, id));
  expect(await findDueAccounts(db())).toContain(user.id);
  await syncAccount(google(), user.id);
  await sync(luis);
  const of = await desk.events(ana);
  expect(of.find((each: { id: string }) => each.id === event.id)).toMatchObject({ status: "cancelled" });
  expect(await rowOf(id)).toMatchObject({ sync: "synced", googleUserId: luis.user.id });
  expect(await rowOf(kept)).toMatchObject({ title: "Dentist", userId: user.id });
});

describe("a change in Google", () => {
  it("is applied, and shown on the lead's timeline", async () => {
    const lead = await buildLead(desk.app.deps.database, { assignedTo: ana.user.id });
    const { id, event } = await shared({ leadId: lead.id });
    const later = day(3);
    await change(event.id, { start: { dateTime: later }, end: { dateTime: half(later) } });
    await sync();
    expect(await rowOf(id)).toMatchObject({ startsAt: new Date(later), sync: "synced" });
    await desk.sandbox.control("DELETE", `/google/events/${event.id}?account=${ana.user.email}`);
    await sync();
    expect((await rowOf(id)).deletedAt).not.toBeNull();
    expect(await listed()).toEqual([]);
    const timeline = await db()
      .select()
      .from(leadEvents)
      .where(eq(leadEvents.leadId, lead.id))
      .orderBy(leadEvents.id);
    expect(timeline.map(({ kind, userId }) => [kind, userId])).toEqual([
      ["meeting-scheduled", ana.user.id],
      ["meeting-changed", null],
      ["meeting-deleted", null],
    ]);
  });

  it("is merged with concurrent changes here, field by field", async () => {
    const { id, event } = await shared();
    await change(event.id, { summary: "Theirs", description: "From Google" });
    await ana.patch(`/api/calendar/events/${id}`, { title: "Ours" });
    await sync();
    expect(await rowOf(id)).toMatchObject({ title: "Ours", description: "From Google", sync: "synced" });
    expect(await desk.events(ana)).toMatchObject([{ summary: "Ours", description: "From Google" }]);
  });

  it("does not delete a meeting that was changed here since", async () => {
    const { id, event } = await shared();
    await desk.sandbox.control("DELETE", `/google/events/${event.id}?account=${ana.user.email}`);
    await ana.patch(`/api/calendar/events/${id}`, { title: "Still on" });
    await sync();
    const living = (await desk.events(ana)).filter(
      ({ status }: { status: string }) => status === "confirmed",
    );
    expect(living).toMatchObject([{ summary: "Still on" }]);
    expect(await rowOf(id)).toMatchObject({ deletedAt: null, sync: "synced" });
  });

  it("is applied also when the sync token has expired with 2,500 events, none twice", async () => {
    const { id, event } = await shared();
    await change(event.id, { summary: "Renamed there" });
    await desk.sandbox.control("POST", "/google/generate", { account: ana.user.email, count: 2_500 });
    await desk.sandbox.control("POST", "/google/expire", { what: "sync" });
    await sync();
    expect(await rowOf(id)).toMatchObject({ title: "Renamed there" });
    expect(await db().$count(meetings, eq(meetings.userId, ana.user.id))).toBe(2_501);
    await sync();
    expect(await db().$count(meetings, eq(meetings.userId, ana.user.id))).toBe(2_501);
  });

  it("is shown when it has a time in the future, and can be edited and deleted here", async () => {
    await desk.connect(ana);
    const account = ana.user.email;
    const make = (fields: object) => desk.sandbox.control("POST", "/google/events", { account, ...fields });
    const at = day(1);
    await make({ summary: "Dentist", start: { dateTime: at }, end: { dateTime: half(at) } });
    await make({ summary: "Holiday", start: { date: at.slice(0, 10) }, end: { date: day(2).slice(0, 10) } });
    await make({ summary: "Long ago", start: { dateTime: day(-9) }, end: { dateTime: half(day(-9)) } });
    await sync();
    const [dentist, ...others] = await listed();
    expect([dentist, others]).toMatchObject([{ title: "Dentist", leadId: null, sync: "synced" }, []]);
    await ana.patch(`/api/calendar/events/${dentist.id}`, { title: "Dentist, upstairs" });
    await sync();
    expect((await desk.events(ana))[0]).toMatchObject({ summary: "Dentist, upstairs" });
    await ana.delete(`/api/calendar/events/${dentist.id}`);
    await sync();
    expect((await desk.events(ana))[0]).toMatchObject({ status: "cancelled" });
    expect(await listed()).toEqual([]);
  });
});

describe("a connection to Google Calendar", () => {
  it("revoked by Google is reported; changes wait and are sent once after connecting again", async () => {
    const { id } = await shared();
    await desk.sandbox.control("POST", "/google/revoke", { account: ana.user.email });
    await ana.patch(`/api/calendar/events/${id}`, { title: "While away" });
    await schedule({ title: "New while away" });
    await sync();
    expect(await status()).toMatchObject({ connected: false, state: "disconnected", pending: 2 });
    expect((await sync()).body.code).toBe("conflict");
    await desk.connect(ana);
    await sync();
    expect(await status()).toMatchObject({ connected: true, pending: 0 });
    const titles = (await desk.events(ana)).map(({ summary }: { summary: string }) => summary);
    expect(titles.sort()).toEqual(["New while away", "While away"]);
  });

  it("with another Google account moves the portal's meetings there, and leaves the other events of the former", async () => {
    const { id } = await shared({ wantsMeetLink: true });
    const at = day(1);
    const dentist = { summary: "Dentist", start: { dateTime: at }, end: { dateTime: half(at) } };
    const make = (account: string, fields: object) =>
      desk.sandbox.control("POST", "/google/events", { account, ...fields });
    await make(ana.user.email, dentist);
    await make(ana.user.email, { ...dentist, summary: "Lunch" });
    await sync();
    const lunch = (await listed()).find(({ title }: { title: string }) => title === "Lunch");
    const lead = await buildLead(desk.app.deps.database, { assignedTo: ana.user.id });
    await ana.patch(`/api/calendar/events/${lunch.id}`, { leadId: lead.id });
    await sync();
    const titles = async () => (await listed()).map(({ title }: { title: string }) => title).sort();
    await ana.delete("/api/google/disconnect");
    // Connecting the same account again changes nothing.
    await desk.connect(ana);
    await sync();
    await sync();
    expect(await titles()).toEqual(["Dentist", "Lunch", "Offer for Eva"]);
    expect(await desk.events(ana)).toHaveLength(3);
    await ana.delete("/api/google/disconnect");
    const account = `other-${ana.user.email}`;
    await make(account, { ...dentist, summary: "Swimming" });
    await desk.connect(ana, account);
    await sync();
    await sync();
    expect(await titles()).toEqual(["Lunch", "Offer for Eva", "Swimming"]);
    const there = await desk.events(ana, account);
    expect(there.map(({ summary }: { summary: string }) => summary).sort()).toEqual(await titles());
    const offer = there.find(({ summary }: { summary: string }) => summary === "Offer for Eva");
    expect(await rowOf(id)).toMatchObject({ sync: "synced", meetingLink: offer.hangoutLink });
    expect(await desk.events(ana)).toHaveLength(3);
  });

  it("is kept alive by refreshed tokens, which are stored", async () => {
    await shared();
    const stored = async () =>
      (await db().select().from(googleAccounts).where(eq(googleAccounts.userId, ana.user.id)))[0]?.tokens;
    const before = await stored();
    await desk.sandbox.control("POST", "/google/expire", { what: "access" });
    expect((await sync()).status).toBe(200);
    expect(await stored()).not.toBe(before);
    expect(await status()).toMatchObject({ connected: true });
  });

  it("can be disconnected during a sync: nothing is written afterwards, the consent is revoked", async () => {
    await desk.connect(ana);
    await desk.sandbox.control("POST", "/google/generate", { account: ana.user.email, count: 600 });
    await desk.sandbox.control("POST", "/latency", { vendor: "google", match: "pageToken", ms: 60_000 });
    const running = syncAccount(google(), ana.user.id);
    await vi.waitFor(
      async () => expect(await db().$count(meetings, eq(meetings.userId, ana.user.id))).toBe(250),
      45_000,
    );
    expect((await ana.delete("/api/google/disconnect")).status).toBe(200);
    await desk.sandbox.control("DELETE", "/latency");
    expect(await running).toBe(false);
    expect(await db().$count(meetings, eq(meetings.userId, ana.user.id))).toBe(250);
    expect(await status()).toMatchObject({ state: "never_connected", lastSyncedAt: null });
    expect((await desk.sandbox.control("GET", "/google/grants")).grants).toEqual([]);
  });

  it("is deleted also when Google does not answer", async () => {
    await desk.connect(ana);
    await desk.failNext({ match: "/revoke", status: 400 });
    expect((await ana.delete("/api/google/disconnect")).status).toBe(200);
    expect((await ana.delete("/api/google/disconnect")).status).toBe(200);
    expect(await status()).toMatchObject({ state: "never_connected" });
  });

  it("is used by one worker at a time", async () => {
    await desk.connect(ana);
    await schedule();
    const both = await Promise.all([syncAccount(google(), ana.user.id), syncAccount(google(), ana.user.id)]);
    expect(both.sort()).toEqual([false, true]);
    expect(await desk.events(ana)).toHaveLength(1);
  });
});

describe("free slots", () => {
  const allDay = { from: "00:00", to: "00:00" };
  const hours = { zone: "UTC", days: Array.from({ length: 7 }, () => allDay) };
  const free = async () => (await ana.get("/api/calendar/free-slots?zone=UTC")).body;
  const add = async (fields: object) =>
    (await desk.sandbox.control("POST", "/google/events", { account: ana.user.email, ...fields })).id;
  const during = ({ startTime, endTime }: { startTime: string; endTime: string }) => ({
    start: { dateTime: startTime },
    end: { dateTime: endTime },
  });
  const book = (slot: object) =>
    ana.post("/api/calendar/events", { title: "Offer for Eva", ...slot, onlyIfFree: true });

  beforeEach(async () => {
    await ana.patch("/api/availability", { hours });
    await desk.connect(ana);
    await sync();
  });

  it("exclude busy time in Google, whole days and absences too, but nothing shown as free", async () => {
    const [first, second] = (await free()).slots;
    const [tomorrow, next] = [day(1).slice(0, 10), day(2).slice(0, 10)];
    const id = await add({ summary: "Dentist", ...during(first) });
    await add({ summary: "Lunch", transparency: "transparent", ...during(second) });
    const trip = await add({ summary: "Trip", start: { date: tomorrow }, end: { date: next } });
    await add({ eventType: "outOfOffice", ...during({ startTime: day(2, 0), endTime: day(3, 0) }) });
    await sync();
    const { slots, google, readAt } = await free();
    expect({ google, readAt }).toEqual({ google: "connected", readAt: expect.any(String) });
    const starts: string[] = slots.map(({ startTime }: { startTime: string }) => startTime);
    expect(starts).not.toContain(first.startTime);
    expect(starts.filter((at) => at.startsWith(tomorrow) || at.startsWith(next))).toEqual([]);

    await change(id, { transparency: "transparent" });
    await desk.sandbox.control("DELETE", `/google/events/${trip}?account=${ana.user.email}`);
    await sync();
    const later: string[] = (await free()).slots.map(({ startTime }: { startTime: string }) => startTime);
    expect(later).toContain(first.startTime);
    expect(later.some((at) => at.startsWith(tomorrow))).toBe(true);
  });

  it("are checked again before one is booked: a new Google event rejects it, and is then known", async () => {
    const [slot] = (await free()).slots;
    const id = await add({ summary: "Dentist", ...during(slot) });
    expect((await book(slot)).body).toMatchObject({ code: "slot_taken" });
    expect((await free()).slots).not.toContainEqual(slot);

    await change(id, { transparency: "transparent" });
    await sync();
    expect((await book(slot)).status).toBe(200);
    const [other] = (await free()).slots;
    await desk.failNext({ status: 503, times: 1 });
    expect((await book(other)).body).toMatchObject({ code: "provider_unavailable" });
  });

  it("ignore events deleted here that still exist in Google", async () => {
    const [slot] = (await free()).slots;
    const { id } = await schedule(slot);
    await sync();
    expect((await book(slot)).body).toMatchObject({ code: "slot_taken" });
    await ana.delete(`/api/calendar/events/${id}`);
    expect((await book(slot)).status).toBe(200);
  });
});
