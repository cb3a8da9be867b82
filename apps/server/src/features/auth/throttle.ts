import { createHash } from "node:crypto";
import type { Db } from "../../db/client.ts";
import { AppError } from "../../http/app-error.ts";
import { inTurn } from "./turns.ts";

/** Refused sign-ins allowed within a window (design §6 Security). */
const rules = [
  { count: 5, minutes: 15, by: "account = $1 and address = $2" },
  { count: 20, minutes: 15, by: "account = $1 and $2::text is not null" },
  { count: 50, minutes: 10, by: "address = $2 and $1::text is not null" },
] as const;

export interface Attempt {
  /** The address signed in with, or another name for what is guessed at. */
  email: string;
  address: string;
}

function accountKey(email: string): string {
  return createHash("sha256").update(email.trim().toLowerCase()).digest("hex");
}

function waitText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return `Too many failed sign-ins. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
}

/**
 * Refuses an attempt while one of the limits is reached; nobody waits longer than the window.
 * Errors: `too_many_attempts` with Retry-After.
 */
async function checkThrottle(db: Db, attempt: Attempt): Promise<void> {
  const values = [accountKey(attempt.email), attempt.address];
  const waits = await Promise.all(
    rules.map(async ({ count, minutes, by }) => {
      const { rows } = await db.$client.query<{ wait: number }>(
        `select extract(epoch from at + interval '${minutes} minutes' - now())::float8 as wait from login_failures
         where ${by} and at > now() - interval '${minutes} minutes' order by at desc offset ${count - 1} limit 1`,
        values,
      );
      return rows[0]?.wait ?? 0;
    }),
  );
  const seconds = Math.ceil(Math.max(...waits));
  if (seconds > 0) throw new AppError("too_many_attempts", waitText(seconds), { retryAfterSeconds: seconds });
}

/** Counts a refused sign-in and forgets those that no longer matter. */
async function recordFailure(db: Db, attempt: Attempt): Promise<void> {
  await db.$client.query("insert into login_failures (account, address) values ($1, $2)", [
    accountKey(attempt.email),
    attempt.address,
  ]);
  await db.$client.query("delete from login_failures where at < now() - interval '1 hour'");
}

/** Attempts from one address that are looked at side by side. */
const lanesPerAddress = 4;
let lane = 0;

/**
 * Decides an attempt, unless one of the limits is reached. Attempts at one account are decided one after the other, so that
 * guesses sent at once are counted before the next is looked at. `decide` answers null for a refused attempt.
 * Errors: `too_many_attempts` with Retry-After.
 */
export function throttled<T>(db: Db, attempt: Attempt, decide: () => Promise<T | null>): Promise<T | null> {
  lane = (lane + 1) % lanesPerAddress;
  const keys = [`account ${accountKey(attempt.email)}`, `address ${attempt.address} ${lane}`];
  return inTurn(keys, async () => {
    await checkThrottle(db, attempt);
    const decided = await decide();
    if (decided === null) await recordFailure(db, attempt);
    return decided;
  });
}
