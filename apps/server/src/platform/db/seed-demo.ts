import { hashPassword } from "better-auth/crypto";
import { toE164 } from "../../domain/phone.ts";
import type { Database } from "./client.ts";
import { accounts, users } from "./schema/users.ts";

const people = [
  { name: "Portal Admin", email: "admin@portal.test", password: "portal-admin", role: "admin", phone: null },
  {
    name: "Ana Torres",
    email: "ana@portal.test",
    password: "portal-demo",
    role: "consultant",
    phone: "(305) 555-0101",
  },
  {
    name: "Luis Mendoza",
    email: "luis@portal.test",
    password: "portal-demo",
    role: "consultant",
    phone: "(305) 555-0102",
  },
  {
    name: "Sofía Rivas",
    email: "sofia@portal.test",
    password: "portal-demo",
    role: "consultant",
    phone: null,
  },
] as const;

/** Hashing is slow on purpose, so it can run while other work is done. */
export function hashDemoPasswords(): Promise<string[]> {
  return Promise.all(people.map(({ password }) => hashPassword(password)));
}

/** Creates the demo accounts in a database without users; `hashed` if hashing has already started. Never called in production. */
export async function seedDemo(database: Database, hashed?: Promise<string[]>): Promise<void> {
  const { rowCount } = await database.pool.query("select 1 from users limit 1");
  if (rowCount) return;
  const hashes = await (hashed ?? hashDemoPasswords());
  await database.transaction(async (tx) => {
    // Two processes may start on one empty database.
    await tx.$client.query("lock table users in exclusive mode");
    const { rowCount: present } = await tx.$client.query("select 1 from users limit 1");
    if (present) return;
    for (const [index, { name, email, role, phone }] of people.entries()) {
      const e164 = toE164(phone, "US");
      const [user] = await tx
        .insert(users)
        .values({
          name,
          email,
          givenEmail: email,
          role,
          emailVerified: true,
          personalPhone: phone,
          personalPhoneE164: e164,
        })
        .returning({ id: users.id });
      if (!user) continue;
      const password = hashes[index];
      await tx
        .insert(accounts)
        .values({ userId: user.id, accountId: String(user.id), providerId: "credential", password });
    }
  });
}
