import { z } from "zod";
import { idSchema, text } from "../entities/fields.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";
import { login } from "./auth.ts";

/** Long enough for a recovery code with spaces. */
const codeSchema = text(60);

/**
 * Confirms a change of the second factor: the password if one is stored here, otherwise a code of the current second factor; nothing if
 * there is neither.
 */
const confirmationSchema = z.strictObject({ password: text(1_000).optional(), code: codeSchema.optional() });
export type Confirmation = z.infer<typeof confirmationSchema>;

const recoveryCodesSchema = z.object({
  /** Shown only once; each is valid for one sign-in. */
  recoveryCodes: z.array(z.string()),
});

export const passkeySchema = z.object({
  id: z.number(),
  name: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
});
export type Passkey = z.infer<typeof passkeySchema>;

export const secondFactorSchema = z.object({
  /** What the session still requires: the code, or the setup that the user's role requires; null if complete. */
  pending: z.enum(["code", "setup"]).nullable(),
  /** Whether an authenticator app is set up. */
  totp: z.boolean(),
  /** In the order they were added. While the session requires the code, without names and last uses. */
  passkeys: z.array(passkeySchema),
  /** Number of unused recovery codes; 0 while the session requires the code. */
  recoveryCodes: z.number(),
  /** What a change requires. */
  confirmation: z.enum(["password", "code", "none"]),
});
export type SecondFactor = z.infer<typeof secondFactorSchema>;

/** The user's second factor. Also available to sessions that still require it. */
export const getSecondFactor = defineRoute({
  method: "GET",
  path: "/api/second-factor",
  summary: "The user's second factor",
  response: secondFactorSchema,
});

/**
 * Completes a sign-in with a code of the authenticator app, or with a recovery code, which is used up and ends the user's other sessions.
 * The session gets a new cookie. Errors: `code_wrong`, `too_many_attempts` after five wrong ones in 15 minutes, `unauthenticated` (more
 * than 10 minutes after the password).
 */
export const verifySecondFactor = defineRoute({
  method: "POST",
  path: "/api/second-factor/verify",
  summary: "Complete a sign-in with a second-factor code",
  body: z.strictObject({ code: codeSchema }),
  response: login.response,
});

/**
 * Creates the secret of an authenticator app and replaces an earlier one. It takes effect once `confirmTotp` verifies a code. Errors:
 * `current_password_wrong`, `code_wrong`, `too_many_attempts`, `conflict` (already set up).
 */
export const beginTotp = defineRoute({
  method: "POST",
  path: "/api/second-factor/totp",
  summary: "Start the setup of an authenticator app",
  body: confirmationSchema,
  response: z.object({
    /** Base32, for typing. */
    secret: z.string(),
    /** `otpauth://…`, for a QR code. */
    uri: z.string(),
  }),
});

/**
 * Activates the authenticator app with a valid code, ends the user's other sessions and creates recovery codes. Errors: `code_wrong`,
 * `too_many_attempts`, `conflict` (setup was not started).
 */
export const confirmTotp = defineRoute({
  method: "POST",
  path: "/api/second-factor/totp/confirm",
  summary: "Confirm the setup of an authenticator app",
  body: z.strictObject({ code: codeSchema }),
  response: recoveryCodesSchema,
});

/** Removes the authenticator app and ends the user's other sessions. Errors: as `beginTotp`, and `not_found`. */
export const endTotp = defineRoute({
  method: "POST",
  path: "/api/second-factor/totp/end",
  summary: "Remove the authenticator app",
  body: confirmationSchema,
  response: z.object({ message: z.string() }),
});

/** Creates new recovery codes; the earlier ones become invalid. Errors: as `beginTotp`, and `conflict` (no second factor). */
export const makeRecoveryCodes = defineRoute({
  method: "POST",
  path: "/api/second-factor/recovery-codes",
  summary: "Create new recovery codes",
  body: confirmationSchema,
  response: recoveryCodesSchema,
});

/** A browser's passkey response (WebAuthn JSON); the server's library validates all of it. */
const credentialSchema = z.looseObject({
  id: text(2_000),
  type: z.literal("public-key"),
  response: z.looseObject({ clientDataJSON: text(10_000) }),
});
export type PasskeyAnswer = z.infer<typeof credentialSchema>;

/** WebAuthn options as JSON, parsed by the browser. */
const optionsSchema = z.looseObject({ challenge: z.string() });

const passkeyName = text(limits.nameMaxLength).refine((name) => name.trim() !== "", "is empty");
const passkeyParams = z.object({ id: idSchema });
const messageSchema = z.object({ message: z.string() });

/** Starts adding a passkey; the challenge is valid for 5 minutes. Errors: as `beginTotp`, and `conflict` (ten passkeys already). */
export const beginPasskey = defineRoute({
  method: "POST",
  path: "/api/passkeys/options",
  summary: "Start adding a passkey",
  body: confirmationSchema,
  response: optionsSchema,
});

/**
 * Adds a passkey and ends the user's other sessions. Returns recovery codes if it is the first second factor, otherwise null. Errors:
 * `passkey_refused`, `conflict` (already added).
 */
export const addPasskey = defineRoute({
  method: "POST",
  path: "/api/passkeys",
  summary: "Add a passkey",
  body: z.strictObject({ name: passkeyName, credential: credentialSchema }),
  response: z.object({ recoveryCodes: z.array(z.string()).nullable() }),
});

/** Renames a passkey. Errors: `not_found`. */
export const renamePasskey = defineRoute({
  method: "PATCH",
  path: "/api/passkeys/:id",
  summary: "Rename a passkey",
  params: passkeyParams,
  body: z.strictObject({ name: passkeyName }),
  response: messageSchema,
});

/** Removes a passkey and ends the user's other sessions. Errors: as `beginTotp`, and `not_found`. */
export const endPasskey = defineRoute({
  method: "POST",
  path: "/api/passkeys/:id/end",
  summary: "Remove a passkey",
  params: passkeyParams,
  body: confirmationSchema,
  response: messageSchema,
});

/** Returns the WebAuthn options for a sign-in; the challenge is valid for 5 minutes. */
export const beginPasskeyLogin = defineRoute({
  method: "POST",
  path: "/api/login/passkey/options",
  summary: "Start a sign-in with a passkey",
  response: optionsSchema,
});

/**
 * Signs in with a passkey, which counts as both factors, or completes a sign-in that requires the second factor. Errors: `passkey_refused`,
 * `passwords_off` (sign-in is only allowed with the login provider, and no sign-in waits for a code), `too_many_attempts`.
 */
export const passkeyLogin = defineRoute({
  method: "POST",
  path: "/api/login/passkey",
  summary: "Sign in with a passkey",
  body: z.strictObject({ credential: credentialSchema }),
  response: login.response,
});
