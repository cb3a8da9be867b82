import type { SignIn } from "@portal/contract/entities/settings";
import type { Db } from "../../../platform/db/client.ts";
import { query, sql } from "../../../platform/db/query.ts";

/** Where a sign-in came from. */
export interface SignInOrigin {
  address: string;
  userAgent: string;
}

/** Browsers say less than this of themselves. */
const userAgentMost = 300;
const shownDays = 90;
const shownEach = 20;

/** What the audit keeps of where a sign-in came from. */
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
 * The latest sign-ins to an account and the latest that were refused, from the audit, the newest first. Each has a number of its own, so that
 * guesses push no sign-in out of sight.
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
