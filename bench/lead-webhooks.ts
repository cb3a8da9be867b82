import { createHash } from "node:crypto";
import type { Pool } from "pg";
import { compareWebhooks, type Hook } from "./lib/compare-webhooks.ts";

const leadsPerRound = 500;
const key = "whk_key-of-the-bench";

/** Creates a consultant, and the key of all requests. */
async function seed(pool: Pool): Promise<void> {
  await pool.query(
    "insert into users (name, email, role) values ('Person', 'person@example.com', 'consultant')",
  );
  await pool.query(
    "insert into lead_webhook_sources (source, key_hash, key_hint, key_created_at) values ('lead', $1, 'ench', now())",
    [createHash("sha256").update(key).digest("hex")],
  );
}

/** Leads of a form, each with its event's id; one in five is known from the previous round. */
function leadHooks(round: number): Hook[] {
  return Array.from({ length: leadsPerRound }, (_value, index) => {
    const person = `${index % 5 === 0 ? round - 1 : round}.${index}`;
    const lead = {
      eventId: `${round}-${index}`,
      name: `Ana Reyes ${person}`,
      email: `ana.${person}@example.com`,
      phone: `(${201 + (index % 700)}) 555-01${String(index % 100).padStart(2, "0")}`,
      company: "Reyes LLC",
      source: "Web form",
      notes: "Asked for an offer",
    };
    return {
      path: "/api/webhook/lead",
      body: JSON.stringify(lead),
      headers: { "content-type": "application/json", "x-webhook-secret": key },
    };
  });
}

/**
 * The row "webhook leads" of the performance goals: leads ingested per second by key, processed meanwhile, against node:http and pg doing
 * the same insert. @returns whether the goal is met
 */
export function run(): Promise<boolean> {
  return compareWebhooks({ name: "webhook leads", seed, hooksOf: (_url, round) => leadHooks(round) });
}
