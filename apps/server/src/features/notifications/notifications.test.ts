import { eq } from "drizzle-orm";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { inboundCalls } from "../../platform/db/schema/calls.ts";
import { meetings } from "../../platform/db/schema/meetings.ts";
import { messages } from "../../platform/db/schema/messages.ts";
import { users } from "../../platform/db/schema/users.ts";
import { buildLead, buildUser, type TestUser } from "../../testing/factories.ts";
import { type Mailbox, mailboxLogin, openMailbox } from "../../testing/mailbox.ts";
import { buildTestApp, type Client, type TestApp } from "../../testing/test-app.ts";
import { totpCode } from "../../testing/totp.ts";
import { makePasswordLink } from "../identity/auth/change-password.ts";
import { mailJobs, queueDueEmails } from "./jobs.ts";
import { type MailJob, settleAdminAlert } from "./service.ts";

let app: TestApp;
let mailbox: Mailbox;
let ana: Client;

beforeAll(async () => {
  mailbox = await openMailbox();
  app = await buildTestApp({
    jobs: true,
    env: {
      SMTP_URL: `smtp://${mailboxLogin.user}:${mailboxLogin.password}@127.0.0.1:${mailbox.port}`,
      MAIL_FROM: "Lead Desk <desk@example.com>",
      ORG_TIME_ZONE: "America/Puerto_Rico",
    },
  });
  ana = await app.signIn({ name: "Ana Rivera" });
});
afterAll(async () => {
  await app.close();
  await mailbox.close();
});
beforeEach(() => {
  mailbox.emails.length = 0;
});

const db = () => app.deps.database.db;
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
const emailsTo = ({ email }: { email: string }) => mailbox.emails.filter(({ to }) => to.includes(email));

async function text(leadId: number, body: string, createdAt: Date): Promise<void> {
  const row = { leadId, body, createdAt, direction: "inbound", status: "received" } as const;
  await db()
    .insert(messages)
    .values({ ...row, fromNumber: "+12125550170", toNumber: "+12125550100" });
}

async function missedCall(leadId: number | null, owner: TestUser | null, endedAt: Date): Promise<void> {
  await db()
    .insert(inboundCalls)
    .values({
      callSid: `CA${leadId ?? 0}${endedAt.getTime()}`,
      fromNumber: "+12125550171",
      leadId,
      ownerId: owner?.id ?? null,
      stage: "ended",
      result: "voicemail",
      transcription: "Llámeme, por favor",
      startedAt: endedAt,
      endedAt,
    });
}

describe("emails", () => {
  it("report unread SMS, missed calls and meetings once, in the recipient's language", async () => {
    const lead = await buildLead(app.deps.database, {
      name: "María\r\nBcc: x@example.com",
      assignedTo: ana.user.id,
    });
    await text(lead.id, "¿Siguen con la oferta?", ago(200));
    await text(lead.id, "Estoy libre mañana", ago(120));
    await missedCall(lead.id, ana.user, ago(150));
    const startsAt = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 20 * 60_000);
    await db()
      .insert(meetings)
      .values({
        userId: ana.user.id,
        title: "Visita técnica",
        startsAt,
        endsAt: new Date(startsAt.getTime() + 1_800_000),
        timeZone: "America/Puerto_Rico",
        calendarType: "local",
        meetingLink: "https://meet.example.com/a",
      });
    await queueDueEmails(app.deps.notifications);
    expect((await ana.patch("/api/notification-settings", { email: true })).body.email).toBe(true);
    expect((await ana.patch("/api/interface-settings", { language: "es" })).status).toBe(200);
    await queueDueEmails(app.deps.notifications);
    await queueDueEmails(app.deps.notifications);
    await vi.waitFor(() => expect(emailsTo(ana.user)).toHaveLength(3), 45_000);
    const bySubject = emailsTo(ana.user).sort((a, b) => a.subject.localeCompare(b.subject));
    const name = "María Bcc: x@example.com";
    expect(bySubject[0]?.subject).toBe(`2 mensajes nuevos de ${name}`);
    expect(bySubject[0]?.text).toContain("> ¿Siguen con la oferta?\n> Estoy libre mañana\n");
    expect(bySubject[1]?.subject).toBe(`Llamada perdida de ${name}`);
    expect(bySubject[1]?.text).toContain("> Llámeme, por favor");
    expect(bySubject[2]?.subject).toMatch(/^Reunión a las .+: Visita técnica$/);
    expect(bySubject[2]?.text).toContain("Unirse: https://meet.example.com/a");
    for (const email of bySubject) {
      expect(email.from).toBe("desk@example.com");
      expect(email.to).toEqual([ana.user.email]);
      expect(email.text).toContain(`${app.url}/settings`);
    }
    // Queuing all again sends nothing twice.
    await queueDueEmails(app.deps.notifications);
    const { rows } = await db().$client.query("select 1 from jobs.job where name = 'mail'");
    expect(rows).toHaveLength(3);
  });

  it("report a new sign-in address to the old one, and a new password, whatever the settings", async () => {
    const luis = await app.signIn();
    const oldEmail = luis.user.email;
    expect((await luis.patch("/api/profile", { email: "luis.new@example.com" })).status).toBe(200);
    const change = { currentPassword: luis.user.password, newPassword: "another-good-one" };
    expect((await luis.patch("/api/change-password", change)).status).toBe(200);
    await vi.waitFor(() => expect(mailbox.emails).toHaveLength(2), 45_000);
    expect(emailsTo({ email: oldEmail }).map(({ subject }) => subject)).toEqual([
      "Your sign-in address was changed",
    ]);
    expect(emailsTo({ email: "luis.new@example.com" }).map(({ subject }) => subject)).toEqual([
      "Your password was changed",
    ]);
    // Also after a password link; an account's first password is not a change.
    const bare = await buildUser(app.deps.database);
    await db().$client.query("update accounts set password = null where user_id = $1", [bare.id]);
    for (const userId of [luis.user.id, bare.id]) {
      const { url } = await app.deps.database.transaction((tx) =>
        makePasswordLink(tx, { publicUrl: app.url, userId, createdBy: null }),
      );
      const body = { token: new URL(url).hash.slice(1), newPassword: "chosen-by-a-link" };
      expect((await app.request("POST", "/api/password-link", { body })).status).toBe(200);
    }
    await vi.waitFor(() => expect(mailbox.emails).toHaveLength(3), 45_000);
    expect(emailsTo({ email: "luis.new@example.com" })).toHaveLength(2);
    const { rows } = await db().$client.query(
      "select 1 from jobs.job where name = 'mail' and data->>'userId' = $1",
      [String(bare.id)],
    );
    expect(rows).toEqual([]);
  });

  it("report a sign-in from a new browser, and changes of a second factor, to the owner", async () => {
    const eva = await app.signIn();
    const { email, password } = eva.user;
    const phone =
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";
    const signInBy = (headers: Record<string, string>) =>
      app.request("POST", "/api/login/local", { body: { email, password }, headers });
    // An account's first sign-in, and another one with the same browser, are not new.
    const first = await signInBy({});
    const cookie = [first.headers["set-cookie"]]
      .flat()
      .map((each) => String(each).split(";")[0])
      .join("; ");
    // A known browser may send another user agent after an update.
    expect((await signInBy({ "user-agent": "updated", cookie })).status).toBe(200);
    expect((await signInBy({ "user-agent": phone })).status).toBe(200);
    expect((await signInBy({ "user-agent": phone })).status).toBe(200);
    const begun = await eva.post("/api/second-factor/totp", { password });
    await eva.post("/api/second-factor/totp/confirm", { code: totpCode(begun.body.secret) });
    await eva.post("/api/second-factor/totp/end", { password });
    await vi.waitFor(() => expect(emailsTo(eva.user)).toHaveLength(3), 45_000);
    expect(emailsTo(eva.user).map(({ subject }) => subject)).toEqual([
      "A new browser signed in to your account",
      "A second factor was set up",
      "A second factor was removed",
    ]);
    expect(emailsTo(eva.user)[0]?.text).toContain("Safari on iPhone signed in to your account on");
    expect(emailsTo(eva.user)[0]?.text).toContain("from the address 127.0.0.1");
  });

  it("notify administrators once of what they have to fix, whatever their settings, and not when it is fixed already", async () => {
    const boss = await app.signIn({ role: "admin" });
    const settle = (isOpen: boolean) =>
      app.deps.database.transaction((tx) =>
        settleAdminAlert(tx, app.deps.notifications, {
          kind: "google_api_off",
          isOpen: async () => isOpen,
        }),
      );
    await Promise.all([settle(true), settle(true), settle(true)]);
    await vi.waitFor(() => expect(emailsTo(boss.user)).toHaveLength(1), 45_000);
    expect(emailsTo(boss.user)[0]?.text).toContain("library/calendar-json.googleapis.com");
    await settle(false);
    const { work } = mailJobs(app.deps.notifications);
    await work({ kind: "admin-alert", alert: "google_api_off", userId: boss.user.id, reference: "late" });
    expect(emailsTo(boss.user)).toHaveLength(1);
    expect((await ana.get("/api/notices")).body).toEqual([]);
  });

  it("notify administrators once of each export above 5,000 rows, and of no smaller one", async () => {
    const boss = await app.signIn({ role: "admin", name: "Clara Soto" });
    const other = await app.signIn({ role: "admin" });
    const run = (text: string, values: unknown[] = []) => db().$client.query(text, values);
    const convert = (count: number) =>
      run(
        `with made as (insert into leads (name, assigned_to) select 'Many', $1 from generate_series(1, $2::int) returning id)
         insert into clients (lead_id, converted_by) select id, $1 from made`,
        [boss.user.id, count],
      );
    await convert(5000);
    await run(
      `insert into call_logs (user_id, outcome, call_type, duration_seconds, confirmed)
       select $1, 'busy', 'outbound', 0, true from generate_series(1, 5001)`,
      [boss.user.id],
    );
    await run("insert into audit_log (user_id, action) select $1, 'sign-in' from generate_series(1, 5001)", [
      boss.user.id,
    ]);
    const { rows: imports } = await run(
      "insert into imports (user_id, source_system, state, total, errors) values ($1, 'csv', 'done', 5001, 5001) returning id",
      [boss.user.id],
    );
    onTestFinished(async () => void (await run("delete from audit_log where action = 'large-export'")));
    const take = async (path: string) => expect((await boss.get(path)).status).toBe(200);
    const shown = async (client: Client) =>
      (await client.get("/api/notices")).body
        .filter(({ kind }: { kind: string }) => kind === "large-export")
        .map(({ from, exported }: { from: string; exported: object }) => ({ from, ...exported }));

    await take(`/api/leads/export?format=json&rep=${boss.user.id}`);
    await take("/api/clients/export?format=json");
    expect(await shown(other)).toEqual([]);
    await convert(1);
    await take(`/api/leads/export?format=json&rep=${boss.user.id}`);
    await take("/api/clients/export?format=csv");
    await take(`/api/call-logs/export?format=csv&rep=${boss.user.id}`);
    await take(`/api/admin/audit/export?user=${boss.user.id}`);
    await take(`/api/imports/${imports[0].id}/failed.csv`);
    const from = "Clara Soto";
    expect(await shown(other)).toEqual([
      { from, what: "failed_rows", count: 5001 },
      { from, what: "audit", count: expect.any(Number) },
      { from, what: "calls", count: 5001 },
      { from, what: "clients", count: 5001 },
      { from, what: "leads", count: 5001 },
    ]);
    // Users are not notified on screen of their own export, only by email, in case somebody else uses their session.
    expect(await shown(boss)).toEqual([]);
    expect(await shown(ana)).toEqual([]);
    await vi.waitFor(() => expect(emailsTo(other.user)).toHaveLength(5), 15_000);
    await vi.waitFor(() => expect(emailsTo(boss.user)).toHaveLength(5), 15_000);
    expect(emailsTo(other.user).map(({ subject }) => subject)).toContain("Clara Soto exported 5,001 calls");
    expect(emailsTo(ana.user)).toEqual([]);
    const { body } = await other.get("/api/admin/audit?limit=10&action=large-export");
    expect(body).toHaveLength(5);
    expect(body[4]).toMatchObject({
      userId: boss.user.id,
      data: { what: "leads", format: "json", count: 5001 },
    });
  });

  it("are retried after a temporary failure, dropped after a rejection, and log no secret", async () => {
    const lines: string[] = [];
    const log = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
    const { work } = mailJobs({ ...app.deps.notifications, log });
    const job: MailJob = { kind: "password-changed", userId: ana.user.id, reference: "password-x" };
    mailbox.refuseNext(451);
    await expect(work(job)).rejects.toMatchObject({ kind: "unavailable" });
    await work(job);
    expect(emailsTo(ana.user)[0]?.raw).toContain("Message-ID: <password-x@example.com>");
    mailbox.refuseNext(550);
    await work(job);
    expect(emailsTo(ana.user)).toHaveLength(1);

    const admin = await app.signIn({ role: "admin" });
    const { body: link } = await admin.post(`/api/team/${ana.user.id}/password-link`);
    expect(link.mailed).toBe(true);
    const token = String(link.url).split("#")[1] ?? "";
    await vi.waitFor(() => expect(emailsTo(ana.user)[1]?.text).toContain(link.url), 45_000);
    const { rows } = await db().$client.query<{ data: unknown }>(
      "select data from jobs.job where name = 'mail'",
    );
    expect(JSON.stringify(rows)).not.toContain(token);
    const logged = lines.join("");
    expect(logged).toContain("mail refused for good");
    for (const secret of [mailboxLogin.password, token, ana.user.email]) expect(logged).not.toContain(secret);
  });

  it("hold reminders for a user who is away, and send each once on return, however old", async () => {
    const rep = await app.signIn();
    const lead = await buildLead(app.deps.database, { assignedTo: rep.user.id });
    await rep.patch("/api/notification-settings", { email: true });
    await rep.patch("/api/availability", { away: true });
    await db().$client.query(
      "update absences set started_at = now() - interval '9 hours' where user_id = $1",
      [rep.user.id],
    );
    await text(lead.id, "Are you there?", ago(8 * 3_600));
    await missedCall(lead.id, rep.user, ago(7 * 3_600));
    await queueDueEmails(app.deps.notifications);
    // An email queued before the absence waits too.
    const job = { kind: "text", leadId: lead.id, userId: rep.user.id, reference: "away" } as const;
    await mailJobs(app.deps.notifications).work(job);
    expect(emailsTo(rep.user)).toEqual([]);
    await rep.patch("/api/availability", { away: false });
    await queueDueEmails(app.deps.notifications);
    await queueDueEmails(app.deps.notifications);
    await vi.waitFor(() => expect(emailsTo(rep.user)).toHaveLength(2), 45_000);
    await rep.patch("/api/notification-settings", { email: false });
    await db().$client.query("delete from jobs.job where data ->> 'reference' = 'away'");
  });

  it("omit what was seen, moved or disabled meanwhile", async () => {
    const { work } = mailJobs(app.deps.notifications);
    const lead = await buildLead(app.deps.database, { assignedTo: ana.user.id });
    await text(lead.id, "Hola", ago(100));
    const about = { userId: ana.user.id, leadId: lead.id, reference: "text-x" };
    await db().update(users).set({ emailNotices: false }).where(eq(users.id, ana.user.id));
    await work({ kind: "text", ...about });
    await db().update(users).set({ emailNotices: true }).where(eq(users.id, ana.user.id));
    await db().update(messages).set({ readAt: new Date() }).where(eq(messages.leadId, lead.id));
    await work({ kind: "text", ...about });
    await work({
      kind: "meeting",
      meetingId: 1,
      startsAt: ago(0).toISOString(),
      userId: ana.user.id,
      reference: "m",
    });
    expect(mailbox.emails).toEqual([]);
  });
});

describe("desktop notifications", () => {
  it("cover recent SMS and missed calls of one's own leads, of the enabled kinds", async () => {
    expect((await app.request("GET", "/api/notices")).status).toBe(401);
    const [sofia, admin] = [await app.signIn(), await app.signIn({ role: "admin" })];
    const lead = await buildLead(app.deps.database, { name: "Rosa Díaz", assignedTo: sofia.user.id });
    await text(lead.id, "An hour ago", ago(3_600));
    await text(lead.id, "Just now", ago(5));
    await missedCall(lead.id, sofia.user, ago(3));
    await missedCall(null, null, ago(2));
    const shown = async (client: Client) =>
      (await client.get("/api/notices")).body.map(({ kind, from }: { kind: string; from: string }) => [
        kind,
        from,
      ]);
    expect(await shown(sofia)).toEqual([
      ["missed-call", "Rosa Díaz"],
      ["text", "Rosa Díaz"],
    ]);
    const { body: notifications } = await sofia.get("/api/notices");
    expect(notifications.map(({ leadId }: { leadId: number }) => leadId)).toEqual([lead.id, lead.id]);
    expect(await shown(admin)).toEqual([["missed-call", "+12125550171"]]);
    expect(await shown(ana)).toEqual([]);
    await sofia.patch("/api/notification-settings", { calls: false });
    expect(await shown(sofia)).toEqual([["text", "Rosa Díaz"]]);
    // After an absence the user is notified of everything since its start.
    await sofia.patch("/api/availability", { away: true });
    await db().$client.query(
      "update absences set started_at = now() - interval '2 hours' where user_id = $1",
      [sofia.user.id],
    );
    expect(await shown(sofia)).toEqual([["text", "Rosa Díaz"]]);
    await sofia.patch("/api/availability", { away: false });
    expect(await shown(sofia)).toEqual([
      ["text", "Rosa Díaz"],
      ["text", "Rosa Díaz"],
    ]);
    await sofia.patch("/api/notification-settings", { sms: false, calls: true });
    expect(await shown(sofia)).toEqual([["missed-call", "Rosa Díaz"]]);
  });
});
