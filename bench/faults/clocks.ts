import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildLead, buildUser } from "../../apps/server/src/testing/factories.ts";
import { hubspotChange } from "../../apps/server/src/testing/webhook-payloads.ts";
import { root } from "../../scripts/lib/environment.ts";
import { startPortalOnSandbox } from "../lib/portal-on-sandbox.ts";
import { print } from "../lib/print.ts";
import { signIn } from "./consultant.ts";

const speed = 20;
const hourMs = 3_600_000;
/** In turn: equal to the clocks of provider and database, an hour ahead, equal, an hour behind, equal. */
const offsets = [0, hourMs, 0, -hourMs, 0];
const idleHours = 8;
const timeoutMs = 120_000;
const goal = { nextLeadMs: 20_000, circuitMs: 40_000 };
const secret = "client-secret-of-the-bench";

/**
 * The portal's clock steps an hour forward and back, twice, while the clocks of the database and the providers do not change: during calls,
 * a dialer session, an import, a provider's open circuit, and with sessions in use. @returns whether every session continues and ends as it
 * should, signatures are accepted only within their window, calls have their result and talk time, and nothing waits for the hour
 */
export async function run(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "portal-bench-clock-"));
  const file = join(folder, "offset");
  let offset = 0;
  const step = async (to: number) => {
    offset = to;
    writeFileSync(file, String(to));
    await sleep(200);
  };
  await step(0);
  const bench = await startPortalOnSandbox({
    speed,
    callsPerSecond: 20,
    env: { CLOCK_FILE: file, SESSION_IDLE_HOURS: String(idleHours), ENCRYPTION_KEY: "k".repeat(40) },
    nodeOptions: ["--import", join(root, "bench/lib/clock.mjs")],
  });
  const faults: string[] = [];
  const check = (isFine: boolean, what: string) => {
    if (!isFine) faults.push(`at ${offset / hourMs} h: ${what}`);
  };
  try {
    const { url, database, control } = bench;
    const rows = async <Row extends object>(sql: string, ...values: unknown[]) =>
      (await database.pool.query<Row>(sql, values)).rows;
    const until = async (what: string, look: () => Promise<unknown>, ms = timeoutMs) => {
      const startedAt = performance.now();
      for (; performance.now() - startedAt < ms; await sleep(50))
        if (await look()) return Math.round(performance.now() - startedAt);
      faults.push(`at ${offset / hourMs} h: waited in vain for ${what}`);
      return ms;
    };
    const admin = await buildUser(database, { role: "admin", phone: "+13055550100" });
    const rep = await buildUser(database, { phone: "+13055550101" });
    const adminCookie = await signIn(url, admin);
    const sessions = [await signIn(url, rep)];
    const ask = async (
      path: string,
      options: { body?: object | string; cookie?: string; headers?: object; method?: string } = {},
    ) => {
      const { body, cookie = sessions[0], headers, method = body ? "POST" : "GET" } = options;
      const answer = await fetch(url + path, {
        method,
        headers: { cookie: cookie ?? "", ...(body && { "content-type": "application/json" }), ...headers },
        ...(body && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      return {
        status: answer.status,
        text,
        body: (/^[[{]/.test(text) ? JSON.parse(text) : null) as { id: number; callId: number },
      };
    };
    await ask("/api/webhook-sources/hubspot", {
      method: "PATCH",
      cookie: adminCookie,
      body: { clientSecret: secret },
    });
    let leads = 0;
    const newLead = (digit = 0) => {
      leads += 1;
      return buildLead(database, {
        name: `Lead ${leads}`,
        phone: `(${[786, 407, 813, 201][leads % 4]}) 555-01${Math.floor(leads / 4) % 10}${digit}`,
        assignedTo: rep.id,
      });
    };
    const hubspot = async (ageMs: number) => {
      const at = Date.now() - ageMs;
      const path = "/api/webhook/hubspot";
      const body = JSON.stringify([hubspotChange(at % 1_000_000, "email", `h${at}@example.com`)]);
      const signature = createHmac("sha256", secret).update(`POST${url}${path}${body}${at}`).digest("base64");
      const headers = { "x-hubspot-request-timestamp": String(at), "x-hubspot-signature-v3": signature };
      return (await ask(path, { body, cookie: "", headers })).status;
    };
    const importFile = (n: number) => {
      const lines = Array.from({ length: 10_000 }, (_, row) => `Ana Reyes,c${n}.${row}@example.com`);
      return fetch(`${url}/api/import/leads?fileName=${n}.csv`, {
        method: "POST",
        headers: { cookie: adminCookie, "content-type": "text/csv" },
        body: `name,email\n${lines.join("\n")}\n`,
      });
    };

    for (const [index, next] of offsets.entries()) {
      // Work that is in progress when the clock steps: a call, an import, a countdown of the dialer, an open circuit.
      const lead = await newLead();
      await control("POST", "/phones", { number: lead.phoneE164, script: { talk: 60 } });
      const { callId } = (await ask("/api/make-call", { body: { leadId: lead.id } })).body;
      await until(
        "the talk",
        async () => (await rows("select 1 from calls where id = $1 and state = 'in_progress'", callId))[0],
      );
      const importing = importFile(index);
      await step(next);
      await until(
        "the end of the call",
        async () => (await rows("select 1 from calls where id = $1 and settled", callId))[0],
      );
      const [call] = await rows<{ result: string; seconds: number; lead_call_sid: string }>(
        "select result, duration_seconds as seconds, lead_call_sid from calls where id = $1",
        callId,
      );
      const leg = await control<{ durationSeconds: number }>("GET", `/calls/${call?.lead_call_sid}`);
      check(
        call?.result === "answered" && call.seconds === leg.durationSeconds,
        `a call is ${JSON.stringify(call)}, at the provider ${leg.durationSeconds} s`,
      );
      check((await importing).ok, "the import failed");
      await until(
        "the import",
        async () => !(await rows("select 1 from imports where state = 'running'"))[0],
      );

      for (const cookie of sessions)
        check((await ask("/api/current-user", { cookie })).status === 200, "a session in use was lost");
      sessions.push(await signIn(url, rep));
      const [oldest] = await rows<{ hours: number }>(
        "select extract(epoch from max(expires_at) - now())::float8 / 3600 as hours from sessions",
      );
      check((oldest?.hours ?? 0) <= idleHours + 1.05, `a session lives for ${oldest?.hours} h more`);
      // Expires the session by more than the clocks differ; the row changes without an event, so it may stay cached for 5 s.
      const ended = await signIn(url, rep);
      await rows(
        "update sessions set expires_at = now() - interval '61 minutes' where id = (select max(id) from sessions)",
      );
      check(
        (await ask("/api/current-user", { cookie: ended })).status === 401,
        "a session that ended an hour ago was taken",
      );
      const left = await signIn(url, rep);
      await ask("/api/current-user", { cookie: left });
      await ask("/api/logout", { cookie: left });
      check(
        (await ask("/api/current-user", { cookie: left })).status === 401,
        "a session was taken after the sign-out",
      );

      const signed = {
        now: await hubspot(0),
        own: await hubspot(-offset),
        old: await hubspot(-offset + 301_000),
      };
      check(signed.own === 200, `a request signed by the same clock was answered ${signed.own}`);
      check(signed.old === 401, `a request signed five minutes before was answered ${signed.old}`);
      check(offset !== 0 || signed.now === 200, `a request signed now was answered ${signed.now}`);

      const waiting = [await newLead(5), await newLead(5)];
      const started = await ask("/api/dialer/start", {
        body: { source: { kind: "selection", leadIds: waiting.map(({ id }) => id) }, delaySeconds: 3 },
      });
      check(started.status === 200, `the dialer's start was answered ${started.status} ${started.text}`);
      const session = started.body.id;
      const phase = async () => (await ask("/api/dialer")).text;
      await until("the wrap-up", async () => (await phase()).includes('"phase":"wrap_up"'), goal.nextLeadMs);
      const [dialled] = await rows<{ id: number }>(
        "select id from calls where lead_id = any($1) order by id desc limit 1",
        waiting.map(({ id }) => id),
      );
      await ask(`/api/dialer/${session}/wrap-up`, { body: { callId: dialled?.id ?? 0, outcome: "busy" } });
      const nextMs = await until(
        "the dialer's next lead",
        async () => {
          // This request counts as an open page, without which the session pauses.
          await ask("/api/dialer");
          const ids = waiting.map(({ id }) => id);
          return (await rows("select 1 from calls where lead_id = any($1)", ids)).length > 1;
        },
        goal.nextLeadMs,
      );
      const [at] = await rows<{ position: number }>(
        "select position from dialer_sessions where id = $1",
        session,
      );
      const stopped = await ask(`/api/dialer/${session}/command`, {
        body: { command: "stop", position: at?.position },
      });
      check(stopped.status === 200, `the dialer's end was answered ${stopped.status} ${stopped.text}`);
      await until("the calls' end", async () => !(await rows("select 1 from calls where not settled"))[0]);

      // The circuit of the provider opens before the next step.
      await control("POST", "/fail", {
        vendor: "twilio",
        match: "Messages",
        method: "POST",
        status: 503,
        count: 5,
      });
      let last = { status: 0, text: "" };
      // Each text goes to another lead, because the contact policy limits texts per lead.
      const send = async () =>
        ask(`/api/leads/${(await newLead()).id}/sms`, {
          body: { message: `At ${index} ${Math.random()}`, clientRef: crypto.randomUUID() },
        });
      for (let n = 0; n < 6; n += 1) await send();
      await step(offsets[index + 1] ?? 0);
      const circuitMs = await until(
        "the provider's circuit to close",
        async () => {
          await sleep(4_000);
          last = await send();
          return last.status === 200;
        },
        goal.circuitMs,
      );
      print(
        `${String(next / hourMs).padStart(2)} h  next lead after ${nextMs} ms, texts go out again after ${circuitMs} ms, ${last.status} ${last.status === 200 ? "" : last.text}`,
      );
    }
    const [counted] = await rows<{ n: number }>(
      "select count(*)::int as n from leads where email like 'c%.%@example.com'",
    );
    check(counted?.n === offsets.length * 10_000, `${counted?.n} leads were imported`);
    print(`faults ${faults.length}`);
    for (const fault of faults) print(`  ${fault}`);
    return faults.length === 0;
  } finally {
    await bench.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
