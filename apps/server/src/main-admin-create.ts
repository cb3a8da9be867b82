import { createInterface } from "node:readline/promises";
import { hashPassword } from "better-auth/crypto";
import { openDatabase } from "./db/client.ts";
import { migrateDatabase } from "./db/migrate.ts";
import { accounts, users } from "./db/schema/users.ts";
import { readEnv } from "./env.ts";
import { recordAudit } from "./features/audit/service.ts";
import { checkNewPassword } from "./features/auth/new-password.ts";

/** Makes the first administrator, `ADMIN_EMAIL`, with a password that is asked for (or piped in). */
async function createAdmin(): Promise<string> {
  const env = readEnv(process.env);
  await migrateDatabase(env.databaseUrl);
  const database = openDatabase({ url: env.databaseUrl, onError: () => undefined });
  try {
    const prompt = createInterface({ input: process.stdin, output: process.stderr });
    const password = (await prompt.question(`Password for ${env.adminEmail}: `)).trim();
    prompt.close();
    await checkNewPassword(password);
    const hash = await hashPassword(password);
    await database.transaction(async (tx) => {
      const { rowCount } = await tx.$client.query("select 1 from users where lower(email) = $1", [
        env.adminEmail,
      ]);
      if (rowCount) throw new Error(`${env.adminEmail} has an account already.`);
      const [user] = await tx
        .insert(users)
        .values({
          name: "Administrator",
          email: env.adminEmail,
          givenEmail: env.adminEmail,
          role: "admin",
          emailVerified: true,
        })
        .returning({ id: users.id });
      if (!user) throw new Error("No account was made.");
      await tx
        .insert(accounts)
        .values({ userId: user.id, accountId: String(user.id), providerId: "credential", password: hash });
      await recordAudit(tx, { userId: null, action: "admin-created", subject: `user:${user.id}`, data: {} });
    });
    return `${env.adminEmail} can sign in as administrator.`;
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
