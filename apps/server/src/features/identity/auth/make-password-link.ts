import { createHash, randomBytes } from "node:crypto";
import { limits } from "@portal/contract/limits";
import type { Db, Tx } from "../../../platform/db/client.ts";
import { execute, query, queryFirst, sql } from "../../../platform/db/query.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { recordAudit } from "../../activity/service.ts";
import { mailPasswordChange, type NotificationsContext } from "../../notifications/service.ts";
import { checkNewPassword } from "./change-password.ts";
import { originOf, type SignInOrigin } from "./list-sign-ins.ts";
import { endPasswordLinks, holdPassword } from "./repository.ts";
import { type AuthContext, deleteSessions } from "./service.ts";
import { throttled } from "./throttle.ts";

/** The page that a link opens. The token is in the fragment, which browsers do not send, so it is in no log. */
const linkPage = "/choose-password";

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/**
 * Creates a one-time link for choosing a password, valid for 48 hours, and invalidates earlier ones of the account. Only the token's hash
 * is stored, so the link can be shown once. It gives access to the account. `createdBy` null means the system.
 */
export async function makePasswordLink(
  tx: Tx,
  input: { publicUrl: string; userId: number; createdBy: number | null },
): Promise<{ url: string; expiresAt: string }> {
  const { userId, createdBy } = input;
  const token = randomBytes(32).toString("base64url");
  await endPasswordLinks(tx, userId);
  const rows = await query<{ expiresAt: Date }>(
    tx,
    sql`insert into password_links (user_id, token_hash, created_by, expires_at)
     values (${userId}, ${hashOf(token)}, ${createdBy}, now() + make_interval(hours => ${limits.passwordLinkHours})) returning expires_at as "expiresAt"`,
  );
  await recordAudit(tx, { userId: createdBy, action: "password-link", subject: `user:${userId}`, data: {} });
  const expiresAt = new Date(rows[0]?.expiresAt ?? 0).toISOString();
  return { url: `${input.publicUrl}${linkPage}#${token}`, expiresAt };
}

interface LinkOwner {
  userId: number;
  name: string;
  email: string;
}

async function findOwner(db: Db, token: string): Promise<LinkOwner | null> {
  const row = await queryFirst<LinkOwner>(
    db,
    sql`select u.id as "userId", u.name, u.email from password_links l join users u on u.id = l.user_id
     where l.token_hash = ${hashOf(token)} and l.used_at is null and l.expires_at > now() and u.disabled_at is null`,
  );
  return row ?? null;
}

function invalidLink(): AppError {
  return new AppError(
    "password_link_invalid",
    "This link has been used or is too old. Ask your administrator for a new one.",
  );
}

/**
 * The user of a link. Wrong tokens are rate limited by address; a valid one, which cannot be guessed, always passes, so that others behind
 * the same address do not block it. Errors: `password_link_invalid`, `passwords_off`, `too_many_attempts`.
 */
export async function checkPasswordLink(
  context: AuthContext,
  { token, address }: { token: string; address: string },
): Promise<LinkOwner> {
  if (!context.localPasswords) throw new AppError("passwords_off");
  const { db } = context.database;
  // A counter by address, so that wrong tokens do not block others' links.
  const attempt = { email: `password link from ${address}`, address };
  const owner = await findOwner(db, token);
  if (owner) return owner;
  await throttled(db, attempt, async () => null);
  throw invalidLink();
}

/**
 * Sets a password by a link, uses the link up, and ends all sessions of the account; a user who had a password is notified. Returns the
 * user's id. Errors: as `checkPasswordLink`, `password_too_short`, `password_too_common`, `password_guessable`.
 */
export async function usePasswordLink(
  context: AuthContext & { notifications: NotificationsContext },
  input: SignInOrigin & { token: string; newPassword: string },
): Promise<number> {
  const { userId, ...owner } = await checkPasswordLink(context, input);
  await checkNewPassword(input.newPassword, owner);
  const { password: hasher } = await context.library.$context;
  const hash = await hasher.hash(input.newPassword);
  await context.database.transaction(async (tx) => {
    // Of two concurrent uses the second finds the link used.
    const rowCount = await execute(
      tx,
      sql`update password_links l set used_at = now() from users u
       where l.token_hash = ${hashOf(input.token)} and l.used_at is null and l.expires_at > now() and u.id = l.user_id and u.disabled_at is null`,
    );
    if (!rowCount) throw invalidLink();
    const before = await holdPassword(tx, userId);
    await execute(
      tx,
      sql`insert into accounts (user_id, account_id, provider_id, password) values (${userId}, ${String(userId)}, 'credential', ${hash})
       on conflict (provider_id, account_id) do update set password = excluded.password, updated_at = now()`,
    );
    await recordAudit(tx, { userId, action: "password-change", data: { by: "link", ...originOf(input) } });
    await deleteSessions(tx, { userId });
    if (before !== null) await mailPasswordChange(tx, context.notifications, userId);
  });
  context.sessions.forget(userId);
  return userId;
}
