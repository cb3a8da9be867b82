import { limits } from "@portal/contract/limits";
import { AppError } from "../../../platform/http/app-error.ts";
import type { AuthSession } from "../../../platform/http/session.ts";
import { recordAudit } from "../../activity/service.ts";
import { mailPasswordChange, type NotificationsContext } from "../../notifications/service.ts";
import { getUser } from "../users/service.ts";
import { signInWays } from "./list-sign-ins.ts";
import { endPasswordLinks, findPassword, replacePassword } from "./repository.ts";
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
