import { createHmac } from "node:crypto";
import type { Pool } from "pg";
import { compareWebhooks, type Hook, rounds, warmUps } from "./lib/compare-webhooks.ts";

const callsPerRound = 200;
const accountSid = `AC${"1".padStart(32, "0")}`;
const authToken = "sandbox-auth-token";
const statuses = ["initiated", "ringing", "in-progress", "completed"];

/** Creates one live call, lead and consultant for each id, so that every event has an effect. */
async function seedCalls(pool: Pool, count: number): Promise<void> {
  await pool.query(
    `insert into users (id, name, email, role) select n, 'Person ' || n, 'person' || n || '@example.com', 'consultant'
     from generate_series(1, $1::int) n`,
    [count],
  );
  await pool.query(
    `insert into leads (id, name, search, assigned_to) select n, 'Lead ' || n, '', n from generate_series(1, $1::int) n`,
    [count],
  );
  await pool.query(
    `insert into calls (id, lead_id, user_id, rep_number, rep_line, lead_number, press_one, call_sid, asked_at)
     select n, n, n, '+13055550101', 'personal', '+1786' || (2000000 + n), true, 'CA' || lpad(n::text, 32, '0'), now()
     from generate_series(1, $1::int) n`,
    [count],
  );
}

/** The four status callbacks of each call, signed as Twilio does (twilio.com/docs/usage/webhooks/webhooks-security). */
function signedHooks(url: string, firstCall: number): Hook[] {
  return Array.from({ length: callsPerRound * statuses.length }, (_value, index) => {
    const call = firstCall + Math.floor(index / statuses.length);
    const params: Record<string, string> = {
      AccountSid: accountSid,
      ApiVersion: "2010-04-01",
      CallSid: `CA${String(call).padStart(32, "0")}`,
      CallStatus: statuses[index % statuses.length] ?? "",
      CallbackSource: "call-progress-events",
      Direction: "outbound-api",
      From: "+12125550100",
      SequenceNumber: String(index % statuses.length),
      Timestamp: new Date().toUTCString().replace("GMT", "+0000"),
      To: "+13055550101",
    };
    const path = `/api/twilio/voice/rep-status?call=${call}`;
    const signed = Object.keys(params)
      .sort()
      .reduce((text, name) => text + name + params[name], `${url}${path}`);
    const signature = createHmac("sha1", authToken).update(signed).digest("base64");
    return {
      path,
      body: new URLSearchParams(params).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded", "x-twilio-signature": signature },
    };
  });
}

/**
 * The row "provider webhooks" of the performance goals: signed status callbacks per second through the real app, which processes them
 * meanwhile, against node:http and pg doing the same insert. Both in one run, alternately. @returns whether the goal is met
 */
export function run(): Promise<boolean> {
  return compareWebhooks({
    name: "provider webhooks",
    seed: (pool) => seedCalls(pool, callsPerRound * (warmUps + rounds)),
    hooksOf: (url, round) => signedHooks(url, 1 + round * callsPerRound),
  });
}
