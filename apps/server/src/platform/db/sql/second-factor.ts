import { type SQL, sql } from "drizzle-orm";

/** Whether a user has a second factor: an authenticator app, or a passkey. */
export const hasSecondFactorSql = (userId: SQL): SQL =>
  sql`(exists (select 1 from totp_secrets f where f.user_id = ${userId} and f.confirmed_at is not null)
    or exists (select 1 from passkeys f where f.user_id = ${userId}))`;

/** What the session `s` of the user `u` still needs before it is valid: `code`, `setup`, or null. */
export const pendingStepSql = sql`case
  when ${hasSecondFactorSql(sql`u.id`)} then case when s.second_factor_at is null then 'code' end
  when (select o.second_factor_roles @> to_jsonb(u.role) from organisation_settings o) then 'setup' end`;
