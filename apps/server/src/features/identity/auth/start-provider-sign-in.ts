import { decrypt, type EncryptionKeys, encrypt } from "../../../domain/encryption.ts";
import type { Tx } from "../../../platform/db/client.ts";
import { execute, sql } from "../../../platform/db/query.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { AuthSession } from "../../../platform/http/session.ts";
import { LoginFailure, type LoginSecrets, type ProviderIdentity } from "../../../ports/login-provider.ts";
import { recordAudit } from "../../activity/service.ts";
import { getUser, presentUser } from "../users/service.ts";
import { checkCurrentPassword, wrongPassword } from "./change-password.ts";
import { onLibraryFailure } from "./create-sign-in-library.ts";
import { originOf } from "./list-sign-ins.ts";
import {
  deleteLinks,
  findLinked,
  findProviderToken,
  findUnlinked,
  hasSecondFactor,
  holdLink,
  holdPassword,
  insertLink,
  lockGiven,
  saveProviderToken,
} from "./repository.ts";
import {
  type AuthContext,
  admitSession,
  deleteSessions,
  endReplacedSession,
  type SignedIn,
} from "./service.ts";

export interface ProviderContext extends AuthContext {
  encryptionKeys: EncryptionKeys;
}

/** Time for signing in at the provider. */
export const loginMs = 10 * 60_000;
const loginPurpose = "login by provider";
const proofPurpose = "login provider's proof";

interface Begun extends LoginSecrets {
  /** Unix milliseconds. */
  until: number;
  /** The page of the portal to return to. */
  page: string;
}

const anyOrigin = "http://portal.invalid";

/** The local page of an address, or the first page: never another site's, and no API route. */
function ownPage(address: string): string {
  if (!URL.canParse(address, anyOrigin)) return "/";
  const { origin, pathname, search } = new URL(address, anyOrigin);
  return origin === anyOrigin && !pathname.startsWith("//") && !/^\/api(\/|$)/.test(pathname)
    ? pathname + search
    : "/";
}

/**
 * Starts a sign-in at the provider. Returns the provider's address, and an encrypted state that the browser keeps until it returns to the
 * page `from`. Errors: `LoginFailure`.
 */
export async function beginLogin(
  context: ProviderContext,
  { from }: { from: string },
): Promise<{ url: string; sealed: string }> {
  if (!context.loginProvider) throw new LoginFailure("provider_unavailable", "no login provider is set up");
  const { url, secrets } = await context.loginProvider.begin();
  const begun: Begun = { ...secrets, until: Date.now() + loginMs, page: ownPage(from) };
  const { encryptionKeys } = context;
  return { url, sealed: encrypt(JSON.stringify(begun), { encryptionKeys, purpose: loginPurpose }) };
}

function openBegun(context: ProviderContext, sealed: string | undefined): Begun {
  const { encryptionKeys } = context;
  const text = sealed && decrypt(sealed, { encryptionKeys, purpose: loginPurpose });
  const begun = text ? (JSON.parse(text) as Begun) : null;
  if (!begun || begun.until < Date.now())
    throw new LoginFailure("answer_invalid", "this browser began no sign-in, or too long ago");
  return begun;
}

/**
 * The user of an identity, by issuer and subject; at the first sign-in by an email that the provider has verified and that an administrator
 * gave to exactly one account without a link. An email that users entered themselves does not count.
 */
async function findOrLink(tx: Tx, identity: ProviderIdentity): Promise<number | null> {
  const { issuer, subject, verifiedEmail: email } = identity;
  const linked = await findLinked(tx, identity);
  if (linked !== null || !email) return linked;
  await lockGiven(tx, email);
  const meanwhile = await findLinked(tx, identity);
  if (meanwhile !== null) return meanwhile;
  const [userId, ...others] = await findUnlinked(tx, { issuer, email });
  if (userId === undefined || others.length > 0) return null;
  await insertLink(tx, { userId, issuer, subject });
  await recordAudit(tx, {
    userId,
    action: "sign-in-linked",
    subject: `user:${userId}`,
    data: { issuer, subject },
  });
  return userId;
}

interface Return {
  /** The callback's query string. */
  query: string;
  /** The encrypted state of `beginLogin`, as the browser returned it. */
  sealed: string | undefined;
  address: string;
  userAgent: string;
  /** The request's session cookie, whose session ends. */
  oldCookie: string | undefined;
  /** The request's device cookie. */
  deviceCookie: string | undefined;
}

/** Completes a sign-in at the provider: creates a session for the linked user, and returns the page to go to. Errors: `LoginFailure`. */
export async function finishLogin(
  context: ProviderContext,
  input: Return,
): Promise<Omit<SignedIn, "device"> & { device: string | null; page: string }> {
  const { database, library, loginProvider, encryptionKeys } = context;
  const begun = openBegun(context, input.sealed);
  if (!loginProvider) throw new LoginFailure("provider_unavailable", "no login provider is set up");
  const identity = await loginProvider.finish(input.query, begun);
  const userId = await database.transaction((tx) => findOrLink(tx, identity));
  const user = userId === null ? undefined : await getUser(database.db, userId);
  if (!user || user.disabledAt)
    throw new LoginFailure("unknown_user", user ? "the account is closed" : "nobody here is linked to it");

  const headers = new Headers({ "user-agent": input.userAgent, "x-forwarded-for": input.address });
  const { response: token, headers: answered } = await library.api
    .beginSession({ body: { userId: String(user.id) }, headers, returnHeaders: true })
    .catch(onLibraryFailure);
  const sealed = encrypt(identity.idToken, { encryptionKeys, purpose: proofPurpose });
  const outcome = await database.transaction(async (tx) => {
    // A concurrent unlinking waits, and then finds the session among those to end.
    if (!(await holdLink(tx, { userId: user.id, ...identity }))) {
      await execute(tx, sql`delete from sessions where token = ${token}`);
      return null;
    }
    await saveProviderToken(tx, { token, sealed });
    // The session still needs the code of a second factor that was set up here; the page after the redirect asks for it.
    if (await hasSecondFactor(tx, user.id)) return { device: null };
    const { deviceCookie } = input;
    const signIn = { userId: user.id, by: "provider" as const, deviceCookie, ...originOf(input) };
    return { device: await admitSession(tx, context, signIn) };
  });
  context.sessions.forget(user.id);
  if (!outcome) throw new LoginFailure("unknown_user", "the account was unlinked meanwhile");
  if (input.oldCookie) await endReplacedSession(context, input.oldCookie);
  const page = user.role === "admin" ? "/admin" : begun.page;
  return { user: presentUser(user), cookies: answered.getSetCookie(), device: outcome.device, page };
}

/** The provider's ID token of a session; null for a session by password. */
export async function findIdToken(context: ProviderContext, session: AuthSession): Promise<string | null> {
  const { database, encryptionKeys } = context;
  const sealed = await findProviderToken(database.db, session.sessionId);
  return sealed && decrypt(sealed, { encryptionKeys, purpose: proofPurpose });
}

/** The provider's page for signing out; null if it has none, or cannot be reached. */
export async function providerSignOut(
  { loginProvider }: ProviderContext,
  proof: string,
): Promise<string | null> {
  return (loginProvider?.signOutUrl(proof) ?? Promise.resolve(null)).catch((error: unknown) => {
    if (error instanceof LoginFailure) return null;
    throw error;
  });
}

/**
 * Unlinks the actor's account from the login provider, if a password stored here can open it; the password is verified. Other sessions end.
 * A later sign-in there with an email given by an administrator links the account again. Errors: `passwords_off`, `current_password_wrong`,
 * `too_many_attempts`, `not_found` (not linked).
 */
export async function unlinkProvider(
  context: AuthContext,
  { actor, address, currentPassword }: { actor: AuthSession; address: string; currentPassword: string },
): Promise<void> {
  if (!context.localPasswords)
    throw new AppError("passwords_off", "Without the login provider you could not sign in any more.");
  const { userId, sessionId } = actor;
  const kept = await checkCurrentPassword(context, { userId, address, password: currentPassword });
  await context.database.transaction(async (tx) => {
    if ((await holdPassword(tx, userId)) !== kept) throw wrongPassword();
    const was = await deleteLinks(tx, userId);
    if (was === null) throw new AppError("not_found", "This account is linked to no login provider.");
    await deleteSessions(tx, { userId, except: sessionId });
    await recordAudit(tx, { userId, action: "sign-in-unlinked", subject: `user:${userId}`, data: { was } });
  });
  context.sessions.forget(userId);
}
