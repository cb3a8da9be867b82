import type { WebhookSourceName } from "@portal/contract/entities/lead-webhook";
import type { SQL } from "drizzle-orm";
import type { StoredPurpose } from "../../domain/encryption.ts";
import type { Db } from "../../platform/db/client.ts";
import { execute, query, sql } from "../../platform/db/query.ts";

/** One kind of stored values and where they are. */
export interface StoredKind {
  /** Its name in the report. */
  name: string;
  /** Selects `id` and `value` of those that are still needed, ordered by id. */
  select: SQL;
  /** Replaces `old` with `fresh`, unless the value was written meanwhile. */
  replace: (id: string, old: string, fresh: string) => SQL;
  purposeOf: (id: string) => StoredPurpose;
}

type WebhookPurpose = Extract<StoredPurpose, `intake ${string}`>;

type UserPurpose = Extract<StoredPurpose, `second factor ${string}`>;

const of = (purpose: StoredPurpose) => () => purpose;

/** Every kind except those of webhooks and users, which have a purpose each: a missing new kind does not compile. */
const single: Record<Exclude<StoredPurpose, WebhookPurpose | UserPurpose>, StoredKind> = {
  "crm app tokens": {
    name: "GoHighLevel's tokens",
    select: sql`select id::text, tokens as value from crm_connections where tokens is not null`,
    replace: (id, old, fresh) =>
      sql`update crm_connections set tokens = ${fresh} where id = ${id}::int and tokens = ${old}`,
    purposeOf: of("crm app tokens"),
  },
  "google calendar tokens": {
    name: "tokens of Google calendars",
    select: sql`select user_id::text as id, tokens as value from google_accounts where tokens is not null order by user_id`,
    replace: (id, old, fresh) =>
      sql`update google_accounts set tokens = ${fresh} where user_id = ${id}::int and tokens = ${old}`,
    purposeOf: of("google calendar tokens"),
  },
  "google consent verifier": {
    name: "Google consents under way",
    select: sql`select state_hash as id, code_verifier as value from google_consents where expires_at > now() order by state_hash`,
    replace: (id, old, fresh) =>
      sql`update google_consents set code_verifier = ${fresh} where state_hash = ${id} and code_verifier = ${old}`,
    purposeOf: of("google consent verifier"),
  },
  "login provider's proof": {
    name: "the login provider's proofs of sessions",
    select: sql`select id::text, provider_token as value from sessions where provider_token is not null and expires_at > now() order by sessions.id`,
    replace: (id, old, fresh) =>
      sql`update sessions set provider_token = ${fresh} where id = ${id}::int and provider_token = ${old}`,
    purposeOf: of("login provider's proof"),
  },
  "mailed password link": {
    name: "password links to be mailed",
    select: sql`select id::text, data ->> 'sealedUrl' as value from jobs.job
      where name = 'mail' and data ->> 'kind' = 'password-link' and state in ('created', 'retry', 'active') order by job.id`,
    replace: (id, old, fresh) =>
      sql`update jobs.job set data = jsonb_set(data, '{sealedUrl}', to_jsonb(${fresh}::text))
        where name = 'mail' and id = ${id}::uuid and data ->> 'sealedUrl' = ${old}`,
    purposeOf: of("mailed password link"),
  },
  "push private key": {
    name: "the key of push notifications",
    select: sql`select id::text, private_key as value from push_keys`,
    replace: (id, old, fresh) =>
      sql`update push_keys set private_key = ${fresh} where id = ${id}::int and private_key = ${old}`,
    purposeOf: of("push private key"),
  },
};

function webhookKind(
  column: "key_encrypted" | "previous_encrypted" | "client_secret_encrypted",
  options: { name: string; what: "key" | "client secret"; isNeeded?: SQL },
): StoredKind {
  const { name, what, isNeeded = sql`true` } = options;
  const field = sql.identifier(column);
  return {
    name,
    select: sql`select source as id, ${field} as value from lead_webhook_sources
      where ${field} is not null and ${isNeeded} order by source`,
    replace: (id, old, fresh) =>
      sql`update lead_webhook_sources set ${field} = ${fresh} where source = ${id} and ${field} = ${old}`,
    purposeOf: (source) => `intake ${source as WebhookSourceName} ${what}`,
  };
}

export const storedKinds: readonly StoredKind[] = [
  ...Object.values(single),
  {
    name: "keys of authenticator apps",
    select: sql`select user_id::text as id, secret as value from totp_secrets order by user_id`,
    replace: (id, old, fresh) =>
      sql`update totp_secrets set secret = ${fresh} where user_id = ${id}::int and secret = ${old}`,
    purposeOf: (id) => `second factor of user ${Number(id)}`,
  },
  webhookKind("key_encrypted", { name: "signing keys of webhooks", what: "key" }),
  webhookKind("previous_encrypted", {
    name: "signing keys of webhooks before the newest",
    what: "key",
    isNeeded: sql`previous_until > now()`,
  }),
  webhookKind("client_secret_encrypted", { name: "HubSpot's client secret", what: "client secret" }),
];

export async function listValues(db: Db, { select }: StoredKind): Promise<{ id: string; value: string }[]> {
  return query(db, select);
}

/** Returns whether the value was replaced: false if it was written meanwhile. */
export async function replaceValue(
  db: Db,
  { replace }: StoredKind,
  { id, old, fresh }: { id: string; old: string; fresh: string },
): Promise<boolean> {
  return (await execute(db, replace(id, old, fresh))) > 0;
}
