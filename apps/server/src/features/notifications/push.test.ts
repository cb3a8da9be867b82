import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openSmsHarness, type SmsHarness } from "../../testing/sms-harness.ts";
import { buildTestApp, type Client, type TestApp } from "../../testing/test-app.ts";
import { deleteEndedDevices, deletePushKeys } from "./push-repository.ts";
import { pushJobs, queueDuePushes, writePush } from "./send-pushes.ts";

let desk: SmsHarness;
let second: TestApp;
let ana: Client;

beforeAll(async () => {
  desk = await openSmsHarness();
  // Another process on the same database, which checks for due notifications as well.
  second = await buildTestApp({
    jobs: true,
    env: desk.env,
    databaseUrl: desk.portal.deps.env.databaseUrl,
  });
  ana = await desk.signInRep("answers", { name: "Ana Rivera" });
});
afterAll(async () => {
  await second.close();
  await desk.portal.close();
  await desk.sandbox.close();
});

interface Browser {
  id: string;
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

async function browserOf(rep: Client): Promise<Browser> {
  const { publicKey } = (await rep.get("/api/push")).body;
  return desk.sandbox.control("POST", "/push/browsers", { applicationServerKey: publicKey });
}
/** A browser with notifications enabled. */
async function turnOn(rep: Client): Promise<Browser> {
  const browser = await browserOf(rep);
  const { endpoint, keys } = browser;
  expect((await rep.post("/api/push/devices", { endpoint, keys })).status).toBe(200);
  return browser;
}
async function messagesOf({
  id,
}: Browser): Promise<{ title: string; body: string; tag: string; url: string }[]> {
  const { messages } = await desk.sandbox.control("GET", `/push/messages?device=${id}`);
  return messages.map(({ text }: { text: string }) => JSON.parse(text));
}
/** Both processes check at the same time, and all queued jobs are done. */
async function untilSent(): Promise<void> {
  const look = () => Promise.all([desk.portal, second].map(({ deps }) => queueDuePushes(deps.notifications)));
  await look();
  await look();
  await vi.waitFor(async () => {
    const { rows } = await desk.pool.query(
      "select count(*)::int as n from jobs.job where name = 'push' and state in ('created', 'retry', 'active')",
    );
    expect(rows[0].n).toBe(0);
  }, 30_000);
}
const devicesOf = async (rep: Client) => (await rep.get("/api/push")).body.devices;

it("notifies each device once of SMS, missed calls and follow-ups, without a name unless the user allows it", async () => {
  const browser = await turnOn(ana);
  const lead = await desk.leadOf(ana, "answers", { name: "Rosa Díaz" });
  const others = await desk.leadOf(await desk.signInRep());
  await desk.receive(lead.phoneE164, "¿Siguen con la oferta?");
  await desk.receive(others.phoneE164, "Not hers");
  await desk.receive("+12125550188", "Nobody's: for administrators");
  await untilSent();
  const id = (await desk.thread(ana, lead))[0]?.id ?? 0;
  expect(await messagesOf(browser)).toEqual([
    { title: "New text from a lead", body: "", tag: `text-${id}`, url: `/leads/${lead.id}` },
  ]);

  expect((await ana.patch("/api/notification-settings", { pushNames: true })).body.pushNames).toBe(true);
  expect((await ana.patch("/api/interface-settings", { language: "es" })).status).toBe(200);
  const due = new Date();
  await desk.pool.query("update leads set next_follow_up_date = $1, next_follow_up_at = $1 where id = $2", [
    due,
    lead.id,
  ]);
  await desk.pool.query(
    `insert into inbound_calls (call_sid, from_number, lead_id, owner_id, stage, result, ended_at)
     values ('CAmissed', $1, $2, $3, 'ended', 'missed', now())`,
    [lead.phoneE164, lead.id, ana.user.id],
  );
  await desk.receive(lead.phoneE164, `${"á".repeat(300)}`);
  await untilSent();
  const named = (await messagesOf(browser)).slice(1);
  expect(named.map(({ title, body }) => [title, body]).sort()).toEqual([
    ["Llamada perdida de Rosa Díaz", ""],
    ["Nuevo mensaje de Rosa Díaz", "á".repeat(200)],
    ["Seguimiento con Rosa Díaz", ""],
  ]);
  expect(named.find(({ title }) => title.startsWith("Seguimiento"))?.tag).toBe(
    `follow-up-${lead.id}-${due.toISOString()}`,
  );

  // Messages that were already read, and kinds the user disabled, are not sent.
  await ana.patch("/api/notification-settings", { sms: false });
  await desk.receive(lead.phoneE164, "Not wanted");
  await untilSent();
  expect(await messagesOf(browser)).toHaveLength(4);
  await ana.patch("/api/notification-settings", { sms: true, pushNames: false });
  await ana.post(`/api/leads/${lead.id}/sms/read`);
  await untilSent();
  expect(await messagesOf(browser)).toHaveLength(4);
});

it("does not notify a user who is away or outside working hours, and notifies once on return", async () => {
  const rep = await desk.signInRep();
  const browser = await turnOn(rep);
  const lead = await desk.leadOf(rep);
  const hours = {
    zone: "UTC",
    days: Array.from({ length: 7 }, (_day, index) =>
      index === (new Date().getUTCDay() + 2) % 7 ? { from: "12:00", to: "13:00" } : null,
    ),
  };
  expect((await rep.patch("/api/availability", { hours })).body.state).toBe("outside_hours");
  expect((await rep.patch("/api/availability", { hours: null, away: true })).body.state).toBe("away");
  await desk.receive(lead.phoneE164, "Are you there?");
  await untilSent();
  expect(await messagesOf(browser)).toEqual([]);
  // They have been away for hours, longer than notifications are kept.
  await desk.pool.query("update absences set started_at = now() - interval '5 hours' where user_id = $1", [
    rep.user.id,
  ]);
  await desk.pool.query("update push_devices set created_at = now() - interval '6 hours'");
  await desk.pool.query("update messages set created_at = now() - interval '3 hours' where lead_id = $1", [
    lead.id,
  ]);
  await rep.patch("/api/availability", { away: false });
  await untilSent();
  await untilSent();
  expect(await messagesOf(browser)).toMatchObject([{ title: "New text from a lead" }]);

  // A notification already queued at the start of the absence waits as well.
  await desk.receive(lead.phoneE164, "And now?");
  const { rows } = await desk.pool.query("select max(id)::int as id from messages where lead_id = $1", [
    lead.id,
  ]);
  const { rows: devices } = await desk.pool.query("select max(id)::int as id from push_devices");
  const job = { kind: "text" as const, id: rows[0].id, version: "", deviceId: devices[0].id };
  await rep.patch("/api/availability", { away: true });
  const { work } = pushJobs(desk.portal.deps.notifications);
  await work(job);
  await work(job);
  expect(await messagesOf(browser)).toHaveLength(1);
  const held = await desk.pool.query(
    "select data, start_after > now() as later from jobs.job where name = 'push' and data ? 'held'",
  );
  expect(held.rows).toEqual([{ data: { ...job, held: 1 }, later: true }]);
  await rep.patch("/api/availability", { away: false });
  await work(held.rows[0].data);
  expect(await messagesOf(browser)).toHaveLength(2);
  await desk.pool.query("delete from jobs.job where data ? 'held'");
});

it("ends a subscription with its session, however that ends", async () => {
  const endings: [string, (rep: Client) => Promise<unknown>][] = [
    ["sign-out", (rep) => rep.get("/api/logout")],
    [
      "a password changed elsewhere",
      async (rep) => {
        const cookie = await elsewhere(rep);
        const body = { currentPassword: rep.user.password, newPassword: "another-good-one" };
        return desk.portal.request("PATCH", "/api/change-password", { cookie, body });
      },
    ],
    [
      "a closed account",
      async (rep) =>
        (await desk.portal.signIn({ role: "admin" })).post(`/api/team/${rep.user.id}/deactivate`),
    ],
    [
      "the session's own end",
      (rep) => desk.pool.query("update sessions set expires_at = now() where user_id = $1", [rep.user.id]),
    ],
    [
      "a session that is too old",
      (rep) =>
        desk.pool.query("update sessions set created_at = now() - interval '8 days' where user_id = $1", [
          rep.user.id,
        ]),
    ],
  ];
  const elsewhere = async ({ user }: Client) => {
    const body = { email: user.email, password: user.password };
    const answer = await desk.portal.request("POST", "/api/login/local", { body });
    return String(answer.headers["set-cookie"]).split(";")[0] ?? "";
  };
  for (const [how, end] of endings) {
    const rep = await desk.signInRep();
    const browser = await turnOn(rep);
    const lead = await desk.leadOf(rep);
    await desk.receive(lead.phoneE164, "Before the end");
    await untilSent();
    expect(await messagesOf(browser), how).toHaveLength(1);
    await end(rep);
    await desk.receive(lead.phoneE164, "After the end");
    await untilSent();
    expect(await messagesOf(browser), how).toHaveLength(1);
    await deleteEndedDevices(desk.portal.deps.database.db, 7);
    const { rows } = await desk.pool.query("select 1 from push_devices where endpoint = $1", [
      browser.endpoint,
    ]);
    expect(rows, how).toEqual([]);
  }
});

it("accepts a new address of a browser only when its session has a device, so nobody takes over another's", async () => {
  const rep = await desk.signInRep();
  const browser = await turnOn(rep);
  const lead = await desk.leadOf(rep);
  const next = await browserOf(rep);
  const renew = (by: Client) =>
    by.post("/api/push/devices", { endpoint: next.endpoint, keys: next.keys, isRenewal: true });
  const other = await desk.signInRep();
  expect(await renew(other)).toMatchObject({ status: 404, body: { code: "not_found" } });
  expect(await devicesOf(other)).toEqual([]);
  const [{ id }] = await devicesOf(rep);
  expect((await renew(rep)).status).toBe(200);
  expect(await devicesOf(rep)).toHaveLength(1);
  await desk.receive(lead.phoneE164, "At the new address");
  await untilSent();
  expect([await messagesOf(browser), await messagesOf(next)].map(({ length }) => length)).toEqual([0, 1]);
  const [renewed] = await devicesOf(rep);
  expect((await rep.delete(`/api/push/devices/${renewed.id}`)).status).toBe(200);
  expect(id).not.toBe(renewed.id);
  // A device removed elsewhere is not restored by a renewal.
  expect((await renew(rep)).status).toBe(404);
});

it("retries while the push service is unavailable, and deletes a device that it no longer knows", async () => {
  const rep = await desk.signInRep();
  const browser = await turnOn(rep);
  const { deps } = desk.portal;
  const lead = await desk.leadOf(rep);
  const [{ id: deviceId }] = await devicesOf(rep);
  await desk.sandbox.control("POST", "/fail", { vendor: "push", status: 503, count: 1 });
  await desk.receive(lead.phoneE164, "Hello");
  const id = (await desk.thread(rep, lead))[0]?.id ?? 0;
  const job = { kind: "text", id, version: "", deviceId } as const;
  const { work } = pushJobs(deps.notifications);
  await untilSent();
  expect(await messagesOf(browser)).toHaveLength(1);
  await desk.sandbox.control("POST", "/fail", { vendor: "push", status: 302, count: 1 });
  // Redirects are not followed.
  await work(job);
  expect(await messagesOf(browser)).toHaveLength(1);

  await desk.sandbox.control("DELETE", `/push/browsers/${browser.id}`);
  expect((await rep.post("/api/push/test")).body.code).toBe("not_found");
  expect(await devicesOf(rep)).toEqual([]);
  await work(job);
  expect((await rep.post("/api/push/test")).status).toBe(404);
});

it("sends only to listed push services with valid keys, and lists one's own devices", async () => {
  const rep = await desk.signInRep();
  const { keys, endpoint } = await browserOf(rep);
  const refused = [
    "https://push.example.com/abc",
    "http://fcm.googleapis.com/fcm/send/abc",
    "https://fcm.googleapis.com:8443/abc",
    "https://user@fcm.googleapis.com/abc",
    "https://fcm.googleapis.com.example.com/abc",
    "https://evilpush.apple.com/abc",
    "https://10.0.0.8/abc",
    "http://127.0.0.1:1/push/abc",
    "file:///etc/passwd",
    "nothing",
  ];
  for (const address of refused) {
    const answer = await rep.post("/api/push/devices", { endpoint: address, keys });
    expect([address, answer.status, answer.body.code]).toEqual([address, 400, "invalid"]);
  }
  for (const bad of [
    { ...keys, p256dh: "AAAA" },
    { ...keys, auth: "AAAA" },
  ])
    expect((await rep.post("/api/push/devices", { endpoint, keys: bad })).status).toBe(400);
  const taken = "https://web.push.apple.com/abc";
  expect((await rep.post("/api/push/devices", { endpoint: taken, keys })).status).toBe(200);
  // A new endpoint of the same browser replaces the old one; repeating it changes nothing.
  const first = await rep.post("/api/push/devices", { endpoint, keys });
  expect((await rep.post("/api/push/devices", { endpoint, keys })).body).toEqual(first.body);
  expect(await devicesOf(rep)).toEqual([first.body]);
  expect(first.body.current).toBe(true);

  expect((await rep.post("/api/push/test")).status).toBe(200);
  expect((await rep.post("/api/push/test")).body.code).toBe("rate_limited");
  const { messages } = await desk.sandbox.control("GET", "/push/messages");
  expect(JSON.parse(messages.at(-1).text).title).toBe("Notifications work on this device");
  expect(messages.at(-1)).toMatchObject({ urgency: "high", ttl: 14_400 });

  expect((await rep.delete(`/api/push/devices/${first.body.id}`)).status).toBe(200);
  expect((await rep.delete(`/api/push/devices/${first.body.id}`)).status).toBe(404);
});

it("uses one key pair for all processes, stored encrypted, and kept when it cannot be decrypted", async () => {
  const rep = await desk.signInRep();
  const cookie = rep.cookie;
  await desk.pool.query("delete from push_keys");
  const answers = await Promise.all(
    [desk.portal, second].map((app) => app.request("GET", "/api/push", { cookie })),
  );
  const keys = answers.map(({ body }) => body.publicKey);
  expect(keys[0]).toMatch(/^[\w-]{87}$/);
  expect(keys[1]).toBe(keys[0]);
  const { rows } = await desk.pool.query("select private_key from push_keys");
  expect(rows).toHaveLength(1);
  expect(rows[0].private_key).toMatch(/^v1:/);

  await turnOn(rep);
  await desk.pool.query("update push_keys set private_key = 'v1:AAAA'");
  expect(await rep.get("/api/push")).toMatchObject({
    status: 503,
    body: { message: expect.stringContaining("ENCRYPTION_KEY") },
  });
  expect((await desk.pool.query("select private_key from push_keys")).rows).toEqual([
    { private_key: "v1:AAAA" },
  ]);
  expect(await deletePushKeys(desk.portal.deps.database.db)).toBeGreaterThan(0);
  const { publicKey, devices } = (await rep.get("/api/push")).body;
  expect(publicKey).not.toBe(keys[0]);
  // The push service refuses the new key for it, so the browser must subscribe again.
  expect(devices).toEqual([]);
});

it("links to the inbox for an unknown number", () => {
  const event = { leadId: null, name: "+12125550188", words: "" };
  const of = (kind: "text" | "missed-call") =>
    writePush({ kind, id: 5, version: "" }, event, { language: "en", withNames: false }).url;
  expect([of("text"), of("missed-call")]).toEqual(["/inbox", "/inbox"]);
});
