import { createHash, randomBytes } from "node:crypto";
import { limits } from "@portal/contract/limits";
import type { Db, Tx } from "../../../platform/db/client.ts";
import { execute, query, queryFirst, sql } from "../../../platform/db/query.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { AuthSession } from "../../../platform/http/session.ts";
import { recordAudit } from "../../activity/service.ts";
import { mailPasswordChange, type NotificationsContext } from "../../notifications/service.ts";
import { getUser } from "../users/service.ts";
import { originOf, type SignInOrigin, signInWays } from "./list-sign-ins.ts";
import { endPasswordLinks, findPassword, holdPassword, replacePassword } from "./repository.ts";
import { type AuthContext, deleteSessions } from "./service.ts";
import { throttled } from "./throttle.ts";

/** The error for a wrong current password. */
export function wrongPassword(): AppError {
  return new AppError("current_password_wrong", "The current password is not right.");
}

/**
 * Verifies the password of a signed-in user before a sensitive action. Returns the verified hash, so that the action can make sure that it
 * has not changed. Errors: `current_password_wrong`, `too_many_attempts`.
 */
export async function checkCurrentPassword(
  { database, library }: AuthContext,
  { userId, address, password }: { userId: number; address: string; password: string },
): Promise<string> {
  const { password: hasher } = await library.$context;
  const kept = await findPassword(database.db, userId);
  // A separate counter: guesses with a stolen session must not lock the owner out of signing in.
  const attempt = { email: `password of user ${userId}`, address };
  const matches = await throttled(database.db, attempt, async () => {
    const fits = kept !== null && (await hasher.verify({ hash: kept, password }));
    return fits || null;
  });
  if (kept === null || !matches) throw wrongPassword();
  return kept;
}

/**
 * Changes the user's password and ends their other sessions and one-time links. Returns the new hash. Errors: `passwords_off`,
 * `current_password_wrong`, `password_too_short`, `password_too_common`, `password_guessable`, `too_many_attempts`.
 */
export async function changePassword(
  context: AuthContext & { notifications: NotificationsContext },
  input: { actor: AuthSession; address: string; currentPassword: string; newPassword: string },
): Promise<string> {
  const { password: isHere, provider } = await signInWays(context, input.actor.userId);
  if (!isHere && provider) throw new AppError("passwords_off");
  const { userId, sessionId } = input.actor;
  const owner = await getUser(context.database.db, userId);
  if (!owner) throw new AppError("unauthenticated");
  await checkNewPassword(input.newPassword, owner);
  const { address, currentPassword: password } = input;
  const kept = await checkCurrentPassword(context, { userId, address, password });
  const { password: hasher } = await context.library.$context;
  const to = await hasher.hash(input.newPassword);
  await context.database.transaction(async (tx) => {
    // Of two concurrent changes the second finds another password, and its session ended.
    if (!(await replacePassword(tx, { userId, from: kept, to }))) throw wrongPassword();
    await recordAudit(tx, { userId, action: "password-change", data: {} });
    await endPasswordLinks(tx, userId);
    await deleteSessions(tx, { userId, except: sessionId });
    await mailPasswordChange(tx, context.notifications, userId);
  });
  context.sessions.forget(userId);
  return to;
}

/** The user who will have the password. */
interface Owner {
  name: string;
  email: string;
}

/** Words that somebody who knows the portal would try first, in both languages. */
const productWords = [
  ...[
    "portal",
    "lead",
    "leads",
    "desk",
    "call",
    "calls",
    "dialer",
    "sales",
    "crm",
    "ghl",
    "gohighlevel",
    "twilio",
  ],
  ...["admin", "administrator", "consultant", "user", "demo", "test", "welcome", "login", "password"],
  ...[
    "prospecto",
    "prospectos",
    "llamada",
    "llamadas",
    "ventas",
    "administrador",
    "administradora",
    "consultor",
  ],
  ...["consultora", "usuario", "prueba", "bienvenido", "contrasena", "clave"],
];

/** Shorter parts of a name occur in too many good passwords. */
const shortestPart = 3;

/** Loaded with the first new password: half a megabyte that would delay the start. */
async function readCommonPasswords(): Promise<Set<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"].slice(0, 3_000));
}

let commonPasswords: Promise<Set<string>> | undefined;

const fold = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

const wordsOf = (text: string): string[] => fold(text).split(/[^\p{L}\p{N}]+/u);

/**
 * Whether a password consists only of the owner's name or email (whole or in parts) or the portal's words, with any digits and signs
 * between and around them.
 */
export function isAboutOwner(password: string, { name, email }: Owner): boolean {
  const [local = "", domain = ""] = fold(email).split("@");
  const known = [...wordsOf(name), ...wordsOf(local), local, ...wordsOf(domain), ...productWords]
    .map((word) => word.replace(/[^\p{L}]+/gu, ""))
    .filter((word) => word.length >= shortestPart)
    .sort((one, other) => other.length - one.length);
  const letters = fold(password).replace(/[^\p{L}]+/gu, "");
  const short = [fold(name), fold(email), local];
  if (short.includes(fold(password).trim())) return true;
  if (letters === "") return false;
  return isMadeOf(letters, new Set(known));
}

/** Whether a text is a sequence of words of a set. */
function isMadeOf(text: string, words: Set<string>): boolean {
  const reached = new Set([0]);
  for (const at of reached) {
    for (const word of words) if (text.startsWith(word, at)) reached.add(at + word.length);
  }
  return reached.has(text.length);
}

/**
 * Refuses a password that is too short, too long, common, or easy to guess for somebody who knows its owner. Errors: `password_too_short`,
 * `invalid`, `password_too_common`, `password_guessable`.
 */
export async function checkNewPassword(password: string, owner: Owner): Promise<void> {
  if (password.length < limits.passwordMinLength) {
    throw new AppError("password_too_short", "Password must be at least 6 characters long.");
  }
  if (password.length > limits.passwordMaxLength) {
    throw new AppError("invalid", `Password must be at most ${limits.passwordMaxLength} characters long.`);
  }
  commonPasswords ??= readCommonPasswords();
  if ((await commonPasswords).has(password.toLowerCase())) {
    throw new AppError("password_too_common", "This password is among the most used ones. Choose another.");
  }
  if (isAboutOwner(password, owner)) {
    throw new AppError(
      "password_guessable",
      "This password is made of your name, your email address or the portal's own words. Choose another.",
    );
  }
}

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
