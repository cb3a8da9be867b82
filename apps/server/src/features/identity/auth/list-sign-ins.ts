import type { Settings, SignIn } from "@portal/contract/entities/settings";
import type { SignInOptions } from "@portal/contract/routes/auth";
import type { Db } from "../../../platform/db/client.ts";
import { query, queryFirst, sql } from "../../../platform/db/query.ts";
import type { LoginProvider } from "../../../ports/login-provider.ts";
import { findSignInWays } from "./repository.ts";

export interface SignInOrigin {
  address: string;
  userAgent: string;
}

/** Longer user agents are cut. */
const userAgentMost = 300;
const shownDays = 90;
const shownEach = 20;

/** The origin of a sign-in as stored in the audit log. */
export function originOf({ address, userAgent }: SignInOrigin): SignInOrigin {
  return { address, userAgent: userAgent.slice(0, userAgentMost) };
}

interface SignInRow {
  id: number;
  at: Date;
  refused: boolean;
  data: { by?: SignIn["by"]; count?: number; address?: string; userAgent?: string };
}

/**
 * The latest sign-ins to an account and the latest refused ones, from the audit log, newest first. The two are limited separately, so that
 * guesses do not displace sign-ins.
 */
export async function listSignIns(db: Db, userId: number): Promise<SignIn[]> {
  const since = sql`now() - make_interval(days => ${shownDays})`;
  const rows = await query<SignInRow>(
    db,
    sql`(select id, at, false as refused, data from audit_log where user_id = ${userId} and at > ${since}
       and (action = 'sign-in' or (action = 'password-change' and data->>'by' = 'link')) order by at desc, id desc limit ${shownEach})
     union all
     (select id, coalesce((data->>'lastAt')::timestamptz, at), true, data from audit_log
       where subject collate "C" = ${`user:${userId}`} and action = 'sign-in-failed' and at > ${since} order by at desc, id desc limit ${shownEach})
     order by at desc, id desc`,
  );
  return rows.map(({ id, at, refused, data }) => ({
    id,
    at: at.toISOString(),
    refused,
    by: data.by ?? "password",
    count: data.count ?? 1,
    address: data.address ?? null,
    userAgent: data.userAgent || null,
  }));
}

/**
 * Whether nobody signed in to an account with this browser from this address in 90 days, although somebody did otherwise: an account's first
 * sign-in has nothing to differ from.
 */
export async function isNewOrigin(
  db: Db,
  { userId, ...origin }: SignInOrigin & { userId: number },
): Promise<boolean> {
  const { address, userAgent } = originOf(origin);
  const row = await queryFirst<{ isNew: boolean }>(
    db,
    sql`select exists (select 1 from audit_log where user_id = ${userId} and action = 'sign-in')
       and not exists (select 1 from audit_log where user_id = ${userId} and action = 'sign-in' and at > now() - make_interval(days => ${shownDays})
         and data->>'address' = ${address} and data->>'userAgent' = ${userAgent}) as "isNew"`,
  );
  return row?.isNew ?? false;
}

/** How users may sign in: with a password stored here, at the external login provider, or both. */
export interface SignInPolicy {
  /** Whether passwords stored here are accepted. */
  localPasswords: boolean;
  loginProvider: LoginProvider | null;
}

/** The options of the login screen. */
export function signInOptions({ localPasswords, loginProvider }: SignInPolicy): SignInOptions {
  return { password: localPasswords, provider: loginProvider && { name: loginProvider.name } };
}

/**
 * How a user signs in, so that Settings can offer the right way to change the password. A linked user changes it at the provider, even if
 * an old password stored here is still accepted.
 */
export async function signInWays(
  context: SignInPolicy & { database: { db: Db } },
  userId: number,
): Promise<Settings["signIn"]> {
  const { loginProvider: provider, localPasswords } = context;
  const ways = await findSignInWays(context.database.db, { userId, issuer: provider?.issuer ?? null });
  return {
    password: localPasswords && ways.password && !ways.linked,
    provider: provider && {
      name: provider.name,
      linked: ways.linked,
      canUnlink: ways.linked && ways.password && localPasswords,
      passwordPage: provider.passwordPage,
    },
  };
}
