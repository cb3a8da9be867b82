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
 * Signs a user in with e-mail and password and sets the session cookie (specification §5, §6, §7).
 * Errors: `missing_credentials` ('Please enter both email and password'), `invalid_credentials`
 * ('Invalid email or password'), `too_many_attempts` with Retry-After.
 */
export const login = defineRoute({
  method: "POST",
  path: "/api/login/local",
  access: "public",
  summary: "Sign in with e-mail and password",
  body: credentialsSchema,
  response: signedInSchema,
});

/** Signs an administrator in. Errors as `login`, but a failure begins 'Admin login failed' (specification §8). */
export const adminLogin = defineRoute({
  method: "POST",
  path: "/api/admin/login",
  access: "public",
  summary: "Sign in as administrator",
  body: credentialsSchema,
  response: signedInSchema,
});

/** The administrator's session, checked on load and on focus. 401 without a session, 403 with another role. */
export const adminSessionCheck = defineRoute({
  method: "GET",
  path: "/api/admin/session-check",
  access: "admin",
  summary: "Check the administrator's session",
  response: z.object({ authenticated: z.literal(true), user: currentUserSchema }),
});

/** The signed-in user; 401 without a session. */
export const getCurrentUser = defineRoute({
  method: "GET",
  path: "/api/current-user",
  access: "user",
  summary: "The signed-in user",
  response: currentUserSchema,
});
