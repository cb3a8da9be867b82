import "./hash-once.ts";
import type { Role } from "@portal/contract/entities/user";
import { hashPassword } from "better-auth/crypto";
import { phoneTimeZone, toE164 } from "../domain/phone.ts";
import { searchText } from "../domain/search-text.ts";
import type { Database } from "../platform/db/client.ts";
import { leads } from "../platform/db/schema/leads.ts";
import { accounts, users } from "../platform/db/schema/users.ts";

export interface TestUser {
  id: number;
  name: string;
  email: string;
  password: string;
  role: Role;
}

const password = "a-long-test-password";
const passwordHash = hashPassword(password);
let counter = 0;

/** A user with an account; by default a consultant with a phone that answers. */
export async function buildUser(
  { db }: Pick<Database, "db">,
  overrides: Partial<{
    name: string;
    email: string;
    role: Role;
    phone: string | null;
    crmUserId: string;
  }> = {},
): Promise<TestUser> {
  counter += 1;
  const { phone = `(305) 555-01${String(counter % 100).padStart(2, "0")}`, ...rest } = overrides;
  const values = {
    name: `Person ${counter}`,
    email: `person${counter}@example.com`,
    role: "consultant" as const,
    ...rest,
  };
  const [user] = await db
    .insert(users)
    .values({
      ...values,
      givenEmail: values.email,
      personalPhone: phone,
      personalPhoneE164: toE164(phone, "US"),
    })
    .returning();
  if (!user) throw new Error("no user was made");
  await db.insert(accounts).values({
    userId: user.id,
    accountId: String(user.id),
    providerId: "credential",
    password: await passwordHash,
  });
  return { id: user.id, name: user.name, email: user.email, role: user.role, password };
}

/** A lead with a number that can be called; by default unassigned. */
export async function buildLead(
  { db }: Pick<Database, "db">,
  overrides: Partial<typeof leads.$inferInsert> = {},
): Promise<typeof leads.$inferSelect> {
  counter += 1;
  const values = {
    name: `Lead ${counter}`,
    email: `lead${counter}@example.com`,
    phone: `(212) 555-01${String(counter % 100).padStart(2, "0")}`,
    ...overrides,
  };
  const phoneE164 = toE164(values.phone, "US");
  const assignedAt = values.assignedTo ? new Date() : null;
  const [lead] = await db
    .insert(leads)
    .values({
      assignedAt,
      phoneE164,
      timeZone: phoneTimeZone(phoneE164),
      search: searchText({ ...values, phoneE164 }),
      ...values,
    })
    .returning();
  if (!lead) throw new Error("no lead was made");
  return lead;
}
