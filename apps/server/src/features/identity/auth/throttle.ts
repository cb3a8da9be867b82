import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import type { SQL } from "drizzle-orm";
import { lockText } from "../../../platform/db/advisory-locks.ts";
import type { Database, Db } from "../../../platform/db/client.ts";
import { execute, query, queryFirst, sql } from "../../../platform/db/query.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { recordAudit } from "../../activity/service.ts";
import { originOf, type SignInOrigin } from "./list-sign-ins.ts";

const tails = new Map<string, Promise<void>>();

async function withMutex<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = tails.get(key);
  const { promise: tail, resolve: done } = Promise.withResolvers<void>();
  tails.set(key, tail);
  await before;
  try {
    return await work();
  } finally {
    done();
    if (tails.get(key) === tail) tails.delete(key);
  }
}

/** Runs work that shares a key with other work of this process one after the other, in order. */
function withKeyedMutexes<T>(keys: string[], work: () => Promise<T>): Promise<T> {
  const [first, ...others] = keys;
  return first === undefined ? work() : withMutex(first, () => withKeyedMutexes(others, work));
}

interface AttemptKey {
  /** Digest of the email used. */
  account: string;
  address: string;
  device: string | null;
}

interface Limit {
  count: number;
  minutes: number;
  by(key: AttemptKey): SQL;
}

/** Allowed failures within a window for unknown browsers. */
const strangerLimits: Limit[] = [
  {
    count: 5,
    minutes: 15,
    by: (at) => sql`account = ${at.account} and address = ${at.address} and device is null`,
  },
  { count: 20, minutes: 15, by: ({ account }) => sql`account = ${account} and device is null` },
  { count: 50, minutes: 10, by: ({ address }) => sql`address = ${address} and device is null` },
];

/** Allowed failures for a browser that has signed in to the account before; others' failures do not count. */
const deviceLimits: Limit[] = [
  { count: 5, minutes: 15, by: ({ account, device }) => sql`account = ${account} and device = ${device}` },
];

export interface Attempt {
  /** The email used, or another name for what is guessed. */
  email: string;
  address: string;
  /** The device id of a known browser. */
  device?: string | null;
}

function accountKey(email: string): string {
  return createHash("sha256").update(email.trim().toLowerCase()).digest("hex");
}

function keyOf({ email, address, device = null }: Attempt): AttemptKey {
  return { account: accountKey(email), address, device };
}

function waitText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return `Too many failed sign-ins. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
}

/** Refuses an attempt while a limit is reached; the wait never exceeds the window. Errors: `too_many_attempts` with Retry-After. */
async function checkThrottle(db: Db, attempt: Attempt): Promise<void> {
  const waits = await Promise.all(
    (attempt.device ? deviceLimits : strangerLimits).map(async ({ count, minutes, by }) => {
      const window = sql`make_interval(mins => ${minutes})`;
      const row = await queryFirst<{ wait: number }>(
        db,
        sql`select extract(epoch from at + ${window} - now())::float8 as wait from login_failures
          where ${by(keyOf(attempt))} and at > now() - ${window} order by at desc offset ${count - 1} limit 1`,
      );
      return row?.wait ?? 0;
    }),
  );
  const seconds = Math.ceil(Math.max(...waits));
  if (seconds > 0) throw new AppError("too_many_attempts", waitText(seconds), { retryAfterSeconds: seconds });
}

/** Records a failed sign-in and deletes outdated ones. */
async function recordFailure(db: Db, attempt: Attempt): Promise<void> {
  const { account, address, device } = keyOf(attempt);
  await execute(
    db,
    sql`insert into login_failures (account, address, device) values (${account}, ${address}, ${device})`,
  );
  await execute(db, sql`delete from login_failures where at < now() - interval '1 hour'`);
}

/** The number of attempts from one address that are checked at the same time. */
const lanesPerAddress = 4;
let lane = 0;

/** The mutexes of an attempt: a known browser does not wait for others' guesses at the account. */
function mutexKeysOf({ email, address, device }: Attempt): string[] {
  if (device) return [`device ${device}`];
  lane = (lane + 1) % lanesPerAddress;
  return [`account ${accountKey(email)}`, `address ${address} ${lane}`];
}

/**
 * Decides an attempt, unless a limit is reached. Attempts at one account are decided one after the other, so that concurrent guesses are
 * counted before the next is checked. `decide` returns null for a refused attempt. Errors: `too_many_attempts` with Retry-After.
 */
export function throttled<T>(db: Db, attempt: Attempt, decide: () => Promise<T | null>): Promise<T | null> {
  return withKeyedMutexes(mutexKeysOf(attempt), async () => {
    await checkThrottle(db, attempt);
    const decided = await decide();
    if (decided === null) await recordFailure(db, attempt);
    return decided;
  });
}

const action = "sign-in-failed";
/** One audit entry counts the failures within this many minutes of its first. */
const windowMinutes = 15;
/** With this many entries in a window, failures from further addresses share one entry. */
const entriesMost = 200;
const elsewhere = "other addresses";

/**
 * Writes a failed sign-in to the audit log: one entry for each account and address in 15 minutes, with the number of failures, and never
 * more than the maximum, so that an attacker cannot fill the log. The typed email is not stored if no account has it: it may be a password.
 */
export async function recordFailedSignIn(
  database: Database,
  { userId, ...origin }: SignInOrigin & { userId: number | null },
): Promise<void> {
  const { address, userAgent } = originOf(origin);
  const subject = userId === null ? null : `user:${userId}`;
  await database.transaction(async (tx) => {
    const count = async (from: string): Promise<boolean> => {
      await lockText(tx, "failedSignIn", `${subject} ${from}`);
      const rowCount = await execute(
        tx,
        sql`update audit_log set data = data || jsonb_build_object('count', (data->>'count')::int + 1, 'lastAt', now(), 'userAgent', ${userAgent}::text)
         where id = (select id from audit_log where action = ${action} and at > now() - make_interval(mins => ${windowMinutes})
           and subject is not distinct from ${subject} and data->>'address' = ${from} order by at desc limit 1)`,
      );
      return rowCount === 1;
    };
    if (await count(address)) return;
    const rows = await query<{ n: number }>(
      tx,
      sql`select count(*)::int as n from (select 1 from audit_log where action = ${action} and at > now() - make_interval(mins => ${windowMinutes}) limit ${entriesMost}) e`,
    );
    const isFull = (rows[0]?.n ?? 0) >= entriesMost;
    if (isFull && (await count(elsewhere))) return;
    const from = isFull ? elsewhere : address;
    const data = { address: from, userAgent, count: 1, ...(userId === null && { account: "unknown" }) };
    await recordAudit(tx, { userId: null, action, ...(subject && { subject }), data });
  });
}

/** An account as far as device cookies are concerned: changing the password invalidates them. */
export interface DeviceAccount {
  userId: number;
  passwordHash: string;
}

/**
 * A signed cookie marks a browser that has signed in to an account before. It does not sign anybody in; it only gives the browser its own
 * counter of failed sign-ins, so that guesses from elsewhere do not lock its owner out.
 */
export interface DeviceCookies {
  name: string;
  attributes: { path: "/"; httpOnly: true; sameSite: "lax"; secure: boolean; maxAge: number };
  /** The device's id if the cookie is valid for the account and not expired; else null. */
  find(cookie: string | undefined, account: DeviceAccount): string | null;
  /** The cookie after a sign-in to the account; entries for up to four other accounts stay. */
  grant(cookie: string | undefined, account: DeviceAccount): string;
}

const lifeSeconds = 90 * 86_400;
const accountsMost = 5;
const idBytes = 16;
/** User, device, sign-in time in seconds, signature. */
const entryShape = /^(\d{1,10})\.([\w-]{22})\.(\d{1,12})\.([\w-]{43})$/;

/** Device cookies signed with a key derived from the current secret; those of the previous secret are accepted too. `secure` for https. */
export function createDeviceCookies({
  secrets,
  secure,
}: {
  secrets: { current: string; previous: string | null };
  secure: boolean;
}): DeviceCookies {
  const keyOf = (secret: string) => Buffer.from(hkdfSync("sha256", secret, "", "portal device cookie", 32));
  const current = keyOf(secrets.current);
  const keys = [current, ...(secrets.previous === null ? [] : [keyOf(secrets.previous)])];

  const sign = (key: Buffer, account: DeviceAccount, id: string, since: number): Buffer =>
    createHmac("sha256", key).update(`${account.userId}.${id}.${since}.${account.passwordHash}`).digest();

  const entriesOf = (cookie: string | undefined): RegExpExecArray[] =>
    (cookie ?? "")
      .split("~", accountsMost)
      .map((entry) => entryShape.exec(entry))
      .filter((entry) => entry !== null);

  function find(cookie: string | undefined, account: DeviceAccount): string | null {
    const now = Date.now() / 1000;
    for (const [, userId, id = "", since, signature = ""] of entriesOf(cookie)) {
      if (Number(userId) !== account.userId || Number(since) + lifeSeconds < now) continue;
      const signed = Buffer.from(signature, "base64url");
      if (keys.some((key) => timingSafeEqual(signed, sign(key, account, id, Number(since))))) return id;
    }
    return null;
  }

  return {
    name: secure ? "__Host-portal-device" : "portal-device",
    attributes: { path: "/", httpOnly: true, sameSite: "lax", secure, maxAge: lifeSeconds },
    find,
    grant(cookie, account) {
      const id = find(cookie, account) ?? randomBytes(idBytes).toString("base64url");
      const since = Math.floor(Date.now() / 1000);
      const others = entriesOf(cookie)
        .filter(([, userId]) => Number(userId) !== account.userId)
        .map(([entry]) => entry);
      const own = `${account.userId}.${id}.${since}.${sign(current, account, id, since).toString("base64url")}`;
      return [own, ...others].slice(0, accountsMost).join("~");
    },
  };
}
