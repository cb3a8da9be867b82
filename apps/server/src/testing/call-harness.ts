import { setTimeout as sleep } from "node:timers/promises";
import type { Call, CallLog } from "@portal/contract/entities/call";
import twilio from "twilio";
import { buildLead } from "./factories.ts";
import { startTestSandbox } from "./sandbox.ts";
import { buildTestApp, type Client, type TestApp } from "./test-app.ts";

/** Waits until `look` answers something; what never comes is named. */
export async function eventually<T>(
  what: string,
  look: () => T | Promise<T>,
): Promise<Exclude<T, null | undefined | false>> {
  // No wait is timed: this only names what never comes, on the slowest machine.
  const deadline = Date.now() + 150_000;
  for (;;) {
    const found = await look();
    if (found) return found as Exclude<T, null | undefined | false>;
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await sleep(15);
  }
}

/** How the simulated phone with this last digit behaves. */
const lastDigit = { answers: 0, busy: 5, silent: 6, voicemail: 7, invalid: 8 } as const;
export type PhoneBehaviour = keyof typeof lastDigit;

/** None of a state with rules of its own. */
const areas = [
  "718",
  "201",
  "404",
  "713",
  "210",
  "214",
  "512",
  "312",
  "602",
  "505",
  "303",
  "702",
  "215",
  "617",
  "412",
];
let numbers = 0;

/** A number of its own among those reserved for fiction: 150 of each behaviour. */
function fictionNumber(behaviour: PhoneBehaviour): string {
  const area = areas[Math.floor(numbers / 10) % areas.length];
  const line = `01${numbers % 10}${lastDigit[behaviour]}`;
  numbers += 1;
  return `(${area}) 555-${line}`;
}

/** The app with its provider's stand-in, and short ways to what call tests do. */
export async function openCallHarness(
  options: { env?: Record<string, string>; speed?: number; databaseUrl?: string } = {},
) {
  const sandbox = await startTestSandbox({ speed: options.speed ?? 60, seedLeads: 1 });
  const env = { ...sandbox.env, TWILIO_CPS: "1000", ...options.env };
  const portal = await buildTestApp({
    env,
    listen: true,
    jobs: true,
    ...(options.databaseUrl && { databaseUrl: options.databaseUrl }),
  });
  const { pool } = portal.deps.database;

  const harness = {
    sandbox,
    portal,
    env,
    pool,
    /** A signed-in consultant whose phone behaves so. */
    signInRep: (phone: PhoneBehaviour | null = "answers", rest: Parameters<TestApp["signIn"]>[0] = {}) =>
      portal.signIn({ phone: phone && fictionNumber(phone), ...rest }),
    leadOf: (rep: Client, phone: PhoneBehaviour = "answers", rest: Parameters<typeof buildLead>[1] = {}) =>
      buildLead(portal.deps.database, { phone: fictionNumber(phone), assignedTo: rep.user.id, ...rest }),
    /** Calls and answers the call's own number. */
    async call(rep: Client, lead: { id: number }): Promise<{ callId: number; callSid: string }> {
      const answer = await rep.post("/api/make-call", { leadId: lead.id });
      if (answer.status !== 200) throw new Error(`make-call answered ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
    async see(rep: Client, callId: number): Promise<Call> {
      return (await rep.get(`/api/calls/${callId}`)).body;
    },
    async untilEnded(rep: Client, callId: number): Promise<Call> {
      return eventually(`the end of call ${callId}`, async () => {
        const call = await harness.see(rep, callId);
        return call.state === "ended" && call;
      });
    },
    async untilState(rep: Client, callId: number, state: Call["state"]): Promise<Call> {
      return eventually(`${state} of call ${callId}`, async () => {
        const call = await harness.see(rep, callId);
        return call.state === state && call;
      });
    },
    /** The end, and every event of it worked. */
    async untilSettled(rep: Client, callId: number): Promise<Call> {
      await eventually(`call ${callId} to settle`, async () => {
        const { rows } = await pool.query("select settled from calls where id = $1", [callId]);
        return rows[0]?.settled && (await harness.openEvents()) === 0;
      });
      return harness.see(rep, callId);
    },
    async openEvents(): Promise<number> {
      const { rows } = await pool.query(
        "select count(*)::int as n from provider_events where processed_at is null",
      );
      return rows[0].n;
    },
    async logs(rep: Client, query = ""): Promise<CallLog[]> {
      return (await rep.get(`/api/call-logs${query}`)).body;
    },
    async count(table: "calls" | "call_logs" | "provider_events" | "lead_events"): Promise<number> {
      const { rows } = await pool.query(`select count(*)::int as n from ${table}`);
      return rows[0].n;
    },
    async timeline(leadId: number): Promise<string[]> {
      const { rows } = await pool.query("select kind from lead_events where lead_id = $1 order by id", [
        leadId,
      ]);
      return rows.map(({ kind }) => kind);
    },
    /** Legs at the provider to a number. */
    async legsTo(
      phone: string | null | undefined,
    ): Promise<{ sid: string; status: string; activity: string; heard: string[] }[]> {
      const { calls } = await sandbox.control("GET", "/calls");
      return calls.filter((leg: { number: string }) => leg.number === phone);
    },
    async repNumber(rep: Client): Promise<string> {
      const { rows } = await pool.query("select personal_phone_e164 as phone from users where id = $1", [
        rep.user.id,
      ]);
      return rows[0].phone;
    },
    /** This phone waits for `answer`, `press` and `hangUp` by hand. */
    byHand: (phone: string | null) => sandbox.control("POST", "/phones", { number: phone, mode: "manual" }),
    phone: (sid: string, act: "answer" | "hangup" | "press", body: object = {}) =>
      sandbox.control("POST", `/calls/${encodeURIComponent(sid)}/${act}`, body),
    /** Inserts the row of a call requested from the provider; without a sid if its response was lost. */
    async callRow(
      rep: Client,
      lead: { id: number; phoneE164: string | null },
      more: Record<string, unknown> = {},
    ) {
      const row: Record<string, unknown> = {
        lead_id: lead.id,
        user_id: rep.user.id,
        rep_number: await harness.repNumber(rep),
        rep_line: "personal",
        lead_number: lead.phoneE164,
        press_one: true,
        asked_at: new Date(),
        // The provider knows no such call, and would end it: nobody asks about it, unless a test has it asked.
        checked_at: new Date(Date.now() + 3_600_000),
        ...more,
      };
      const names = Object.keys(row);
      const places = names.map((_name, index) => `$${index + 1}`);
      const { rows } = await pool.query(
        `insert into calls (${names.join(", ")}) values (${places.join(", ")}) returning id`,
        Object.values(row),
      );
      return rows[0].id as number;
    },
    /** A request as the provider signs it. */
    async webhook(path: string, params: Record<string, string>, token = "sandbox-auth-token") {
      const url = `${portal.url}${path}`;
      const response = await fetch(url, {
        method: "POST",
        body: new URLSearchParams(params),
        headers: { "x-twilio-signature": twilio.getExpectedTwilioSignature(token, url, params) },
      });
      return { status: response.status, body: await response.text() };
    },
    async close() {
      await portal.close();
      await sandbox.close();
    },
  };
  return harness;
}

export type CallHarness = Awaited<ReturnType<typeof openCallHarness>>;
