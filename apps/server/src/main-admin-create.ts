import { createInterface } from "node:readline/promises";
import { hashPassword } from "better-auth/crypto";
import { readEnv } from "./env.ts";
import { recordAudit } from "./features/activity/service.ts";
import { checkNewPassword } from "./features/identity/auth/change-password.ts";
import { openDatabase, type Tx } from "./platform/db/client.ts";
import { startFaultOf } from "./platform/db/database-fault.ts";
import { ownerUrlOf, prepareSchema } from "./platform/db/migrate.ts";
import { execute, queryFirst, sql } from "./platform/db/query.ts";
import { publishEvent } from "./platform/realtime/publish.ts";

/** Makes the account with this address an administrator's, whether or not it exists; its sessions are ended. */
async function openAdmin(tx: Tx, { email, hash }: { email: string; hash: string }): Promise<"made" | "kept"> {
  const user = await queryFirst<{ id: number; isNew: boolean }>(
    tx,
    sql`insert into users (name, email, given_email, role, email_verified) values ('Administrator', ${email}, ${email}, 'admin', true)
     on conflict (lower(email)) do update set role = 'admin', disabled_at = null, updated_at = now()
       where users.role = 'admin' or lower(users.given_email) = lower(excluded.email)
     returning id, xmax = 0 as "isNew"`,
  );
  // Making that account an administrator would give access to everybody else who can sign in with it.
  if (!user)
    throw new Error(
      `A consultant changed to this address: ${email} is not what an administrator gave them. Take another ADMIN_EMAIL, or have the address changed under Team.`,
    );
  await execute(
    tx,
    sql`insert into accounts (user_id, account_id, provider_id, password) values (${user.id}, ${String(user.id)}, 'credential', ${hash})
     on conflict (provider_id, account_id) do update set password = excluded.password, updated_at = now()`,
  );
  // The person may have lost the second factor as well.
  await execute(tx, sql`delete from totp_secrets where user_id = ${user.id}`);
  await execute(tx, sql`delete from passkeys where user_id = ${user.id}`);
  await execute(tx, sql`delete from recovery_codes where user_id = ${user.id}`);
  await execute(tx, sql`delete from sessions where user_id = ${user.id}`);
  await publishEvent(tx, { topic: "session", id: user.id, audience: [user.id] });
  const action = user.isNew ? "admin-created" : "admin-restored";
  await recordAudit(tx, { userId: null, action, subject: `user:${user.id}`, data: {} });
  return user.isNew ? "made" : "kept";
}

/**
 * Creates the first administrator, `ADMIN_EMAIL`, with a password that is prompted for or piped in; or restores access if nobody can sign
 * in any more.
 */
async function createAdmin(): Promise<string> {
  const env = readEnv(process.env);
  await prepareSchema(env).catch((error: unknown) => {
    throw startFaultOf(error, ownerUrlOf(env)) ?? error;
  });
  const database = openDatabase({ url: env.databaseUrl, onError: () => undefined });
  try {
    const prompt = createInterface({ input: process.stdin, output: process.stderr });
    const password = (await prompt.question(`Password for ${env.adminEmail}: `)).trim();
    prompt.close();
    await checkNewPassword(password, { name: "Administrator", email: env.adminEmail });
    const hash = await hashPassword(password);
    const done = await database.transaction((tx) => openAdmin(tx, { email: env.adminEmail, hash }));
    return [
      `${env.adminEmail} can sign in as administrator${done === "kept" ? " with the new password" : ""}.`,
      ...(env.signIn.localPasswords
        ? []
        : ["Passwords are off: set LOCAL_PASSWORDS=on and start the portal anew."]),
    ].join("\n");
  } finally {
    await database.close();
  }
}

createAdmin().then(
  (text) => process.stdout.write(`${text}\n`),
  (error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  },
);
