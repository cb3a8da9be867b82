import { z } from "zod";
import { text } from "../entities/fields.ts";
import { currentUserSchema } from "../entities/user.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";

const credentialsSchema = z.object({
  email: text(limits.emailMaxLength).default(""),
  password: text(1_000).default(""),
});

const signedInSchema = z.object({ message: z.string(), user: currentUserSchema });

/**
 * Signs a user in with email and password and sets the session cookie. Errors: `missing_credentials` ('Please enter both email and
 * password'), `invalid_credentials` ('Invalid email or password'), `too_many_attempts` with Retry-After, `second_factor_needed` with a
 * session that `verifySecondFactor` completes.
 */
export const login = defineRoute({
  method: "POST",
  path: "/api/login/local",
  summary: "Sign in with email and password",
  body: credentialsSchema,
  response: signedInSchema,
});

/** Signs an administrator in. Errors: see `login`, but messages start with 'Admin login failed'. */
export const adminLogin = defineRoute({
  method: "POST",
  path: "/api/admin/login",
  summary: "Sign in as administrator",
  body: credentialsSchema,
  response: signedInSchema,
});

/** The administrator's session, checked on page load and on focus. 401 without a session, 403 for other roles. */
export const adminSessionCheck = defineRoute({
  method: "GET",
  path: "/api/admin/session-check",
  summary: "Check the administrator's session",
  response: z.object({ authenticated: z.literal(true), user: currentUserSchema }),
});

/** The signed-in user; 401 without a session. */
export const getCurrentUser = defineRoute({
  method: "GET",
  path: "/api/current-user",
  summary: "The signed-in user",
  response: currentUserSchema,
});

const signInOptionsSchema = z.object({
  /** Whether sign-in with a local password is enabled. */
  password: z.boolean(),
  provider: z.object({ name: z.string() }).nullable(),
});
export type SignInOptions = z.infer<typeof signInOptionsSchema>;

/**
 * The sign-in methods of the login screen. The served page contains the same as JSON in its meta element `sign-in-options`. `provider` is
 * the external login provider, started by navigating to `GET /api/login`; on failure it returns to `/?login_error=<code>`.
 */
export const getSignInOptions = defineRoute({
  method: "GET",
  path: "/api/sign-in-options",
  summary: "Available sign-in methods",
  response: signInOptionsSchema,
});

/**
 * Why a sign-in with the external login provider failed: the provider refused it, its response was invalid, no account has the email
 * address or the account is closed, or the provider was unavailable.
 */
export const loginErrors = [
  "provider_refused",
  "answer_invalid",
  "unknown_user",
  "provider_unavailable",
] as const;
export type LoginError = (typeof loginErrors)[number];

const linkToken = text(200);

/** Returns the name and email address of the account a one-time link belongs to. Errors: `password_link_invalid`, `too_many_attempts`. */
export const checkPasswordLink = defineRoute({
  method: "POST",
  path: "/api/password-link/check",
  summary: "Check a one-time link",
  body: z.strictObject({ token: linkToken }),
  response: z.object({ name: z.string(), email: z.string() }),
});

/**
 * Sets a password with a one-time link, invalidates the link and ends all sessions of the account. Errors: `password_link_invalid`,
 * `password_too_short`, `password_too_common`, `password_guessable`, `passwords_off`, `too_many_attempts`.
 */
export const usePasswordLink = defineRoute({
  method: "POST",
  path: "/api/password-link",
  summary: "Set a password with a one-time link",
  body: z.strictObject({ token: linkToken, newPassword: text(1_000) }),
  response: z.object({ message: z.string() }),
});
