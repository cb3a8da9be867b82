import { z } from "zod";
import { text } from "../entities/fields.ts";
import { defineRoute } from "../route.ts";
import { login } from "./auth.ts";

/** Long enough for a recovery code with spaces between. */
const codeSchema = text(60);

/**
 * By what the owner shows that a change of the second factor is theirs: the password where it is kept here, else a code of the factor
 * there is; nothing where there is neither.
 */
const confirmationSchema = z.strictObject({ password: text(1_000).optional(), code: codeSchema.optional() });
export type Confirmation = z.infer<typeof confirmationSchema>;

const recoveryCodesSchema = z.object({
  /** Shown once; each is good for one sign-in. */
  recoveryCodes: z.array(z.string()),
});

export const secondFactorSchema = z.object({
  /** What the session waits for: the code, or the set-up that its role needs; null once it counts. */
  pending: z.enum(["code", "setup"]).nullable(),
  /** Whether an authenticator app is set up. */
  totp: z.boolean(),
  /** Recovery codes that are not used yet. */
  recoveryCodes: z.number(),
  /** What a change asks for. */
  confirmation: z.enum(["password", "code", "none"]),
});
export type SecondFactor = z.infer<typeof secondFactorSchema>;

/** The user's second factor. Open to sessions that wait for it. */
export const getSecondFactor = defineRoute({
  method: "GET",
  path: "/api/second-factor",
  summary: "The user's second factor",
  response: secondFactorSchema,
});

/**
 * Completes a sign-in with a code of the authenticator app, or a recovery code, which is used up and ends the user's other sessions; the
 * session gets another cookie. Errors: `code_wrong`, `too_many_attempts` after five wrong ones in 15 minutes, `unauthenticated` (more than
 * 10 minutes after the password).
 */
export const verifySecondFactor = defineRoute({
  method: "POST",
  path: "/api/second-factor/verify",
  summary: "Complete a sign-in with a code of the second factor",
  body: z.strictObject({ code: codeSchema }),
  response: login.response,
});

/**
 * Makes the secret of an authenticator app, which counts once `confirmTotp` has seen a code of it; one made before is replaced.
 * Errors: `current_password_wrong`, `code_wrong`, `too_many_attempts`, `conflict` (one is set up already).
 */
export const beginTotp = defineRoute({
  method: "POST",
  path: "/api/second-factor/totp",
  summary: "Begin to set up an authenticator app",
  body: confirmationSchema,
  response: z.object({
    /** Base32, for typing. */
    secret: z.string(),
    /** `otpauth://…`, for a QR code. */
    uri: z.string(),
  }),
});

/**
 * Sets the authenticator app up by one right code of it, ends the user's other sessions and makes recovery codes.
 * Errors: `code_wrong`, `too_many_attempts`, `conflict` (nothing was begun).
 */
export const confirmTotp = defineRoute({
  method: "POST",
  path: "/api/second-factor/totp/confirm",
  summary: "Set up an authenticator app",
  body: z.strictObject({ code: codeSchema }),
  response: recoveryCodesSchema,
});

/** Removes the authenticator app and ends the user's other sessions. Errors: as `beginTotp`, `not_found`. */
export const endTotp = defineRoute({
  method: "POST",
  path: "/api/second-factor/totp/end",
  summary: "Remove the authenticator app",
  body: confirmationSchema,
  response: z.object({ message: z.string() }),
});

/** Makes new recovery codes; the earlier ones are void. Errors: as `beginTotp`, `conflict` (no second factor). */
export const makeRecoveryCodes = defineRoute({
  method: "POST",
  path: "/api/second-factor/recovery-codes",
  summary: "Make new recovery codes",
  body: confirmationSchema,
  response: recoveryCodesSchema,
});
