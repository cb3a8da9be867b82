import { createHmac, timingSafeEqual } from "node:crypto";
import { roles } from "@portal/contract/entities/user";
import { limits } from "@portal/contract/limits";
import { betterAuth } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { z } from "zod";
import type { Db } from "../../../platform/db/client.ts";
import { accounts, sessions, users, verifications } from "../../../platform/db/schema/users.ts";
import { AppError } from "../../../platform/http/app-error.ts";

export interface SignInOptions {
  publicUrl: string;
  secure: boolean;
  secret: string;
  idleHours: number;
}

/** Name of the session cookie. `__Host-` binds it to this host, which browsers allow for https only. */
export function sessionCookieName(secure: boolean): string {
  return secure ? "__Host-portal" : "portal";
}

/** The signature of a session's token as the library makes it. */
function signToken(token: string, secret: string): Buffer {
  return createHmac("sha256", secret).update(token).digest();
}

/**
 * A session cookie signed with the previous secret, as the library reads it: with the current secret's signature. Any other cookie as it is.
 * The library knows one secret; it renews the cookie of a session in use after 15 minutes.
 */
export function resignCookie(cookie: string, secrets: { current: string; previous: string | null }): string {
  const [token = "", signature = ""] = cookie.split(".");
  if (secrets.previous === null) return cookie;
  const [given, old] = [Buffer.from(signature, "base64"), signToken(token, secrets.previous)];
  if (given.length !== old.length || !timingSafeEqual(given, old)) return cookie;
  return `${token}.${signToken(token, secrets.current).toString("base64")}`;
}

/**
 * Creates a session with its cookie for a user authenticated elsewhere, and returns its token. It has no address: only the server can call
 * it.
 */
const beginSession = createAuthEndpoint.serverOnly(
  { method: "POST", body: z.object({ userId: z.string() }) },
  async (context) => {
    const { internalAdapter } = context.context;
    const user = await internalAdapter.findUserById(context.body.userId);
    if (!user) throw new AppError("unauthenticated");
    const session = await internalAdapter.createSession(user.id);
    await setSessionCookie(context, { session, user });
    return session.token;
  },
);

/** The sign-in library on our tables. Only `features/identity/auth` uses it. */
export function createSignInLibrary(db: Db, options: SignInOptions) {
  return betterAuth({
    baseURL: options.publicUrl,
    secret: options.secret,
    telemetry: { enabled: false },
    logger: { disabled: true },
    database: drizzleAdapter(db, {
      provider: "pg",
      schema: { user: users, session: sessions, account: accounts, verification: verifications },
    }),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: limits.passwordMinLength,
      maxPasswordLength: limits.passwordMaxLength,
    },
    user: {
      additionalFields: {
        role: { type: [...roles], input: false, required: true, defaultValue: "consultant" },
        disabledAt: { type: "date", input: false, required: false },
      },
    },
    plugins: [{ id: "begin-session", endpoints: { beginSession } }],
    session: { expiresIn: options.idleHours * 3600, updateAge: 15 * 60, cookieCache: { enabled: false } },
    advanced: {
      database: { generateId: "serial" },
      // The prefix is part of the configured name, so that http in a private network works without it.
      useSecureCookies: false,
      cookies: {
        session_token: {
          name: sessionCookieName(options.secure),
          attributes: { httpOnly: true, sameSite: "lax", path: "/", secure: options.secure },
        },
      },
    },
  });
}

/** The library hides the cause of a failure; here only the database can fail. Errors: `unavailable`, or the error itself. */
export function onLibraryFailure(error: unknown): never {
  const { statusCode = 0 } = error as { statusCode?: number };
  throw statusCode >= 500 ? new AppError("unavailable") : error;
}

export type SignInLibrary = ReturnType<typeof createSignInLibrary>;
