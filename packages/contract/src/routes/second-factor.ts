import { z } from "zod";
import { idSchema, text } from "../entities/fields.ts";
import { limits } from "../limits.ts";
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

export const passkeySchema = z.object({
  id: z.number(),
  name: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
});
export type Passkey = z.infer<typeof passkeySchema>;

export const secondFactorSchema = z.object({
  /** What the session waits for: the code, or the set-up that its role needs; null once it counts. */
  pending: z.enum(["code", "setup"]).nullable(),
  /** Whether an authenticator app is set up. */
  totp: z.boolean(),
  /** In the order in which they were added; while the session waits for its code, without names and last uses. */
  passkeys: z.array(passkeySchema),
  /** Recovery codes that are not used yet; 0 while the session waits for its code. */
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

/** What a browser says of a passkey (WebAuthn's JSON); the server's library reads all of it. */
const credentialSchema = z.looseObject({
  id: text(2_000),
  type: z.literal("public-key"),
  response: z.looseObject({ clientDataJSON: text(10_000) }),
});
export type PasskeyAnswer = z.infer<typeof credentialSchema>;

/** WebAuthn's options as JSON, for the browser's own reader. */
const optionsSchema = z.looseObject({ challenge: z.string() });

const passkeyName = text(limits.nameMaxLength).refine((name) => name.trim() !== "", "is empty");
const passkeyParams = z.object({ id: idSchema });
const messageSchema = z.object({ message: z.string() });

/** Begins to add a passkey; it is good for 5 minutes. Errors: as `beginTotp`, `conflict` (there are ten). */
export const beginPasskey = defineRoute({
  method: "POST",
  path: "/api/passkeys/options",
  summary: "Begin to add a passkey",
  body: confirmationSchema,
  response: optionsSchema,
});

/**
 * Adds a passkey and ends the user's other sessions; recovery codes come with the first second factor, else null. Errors: `passkey_refused`,
 * `conflict` (it was added before).
 */
export const addPasskey = defineRoute({
  method: "POST",
  path: "/api/passkeys",
  summary: "Add a passkey",
  body: z.strictObject({ name: passkeyName, credential: credentialSchema }),
  response: z.object({ recoveryCodes: z.array(z.string()).nullable() }),
});

/** Names a passkey. Errors: `not_found`. */
export const renamePasskey = defineRoute({
  method: "PATCH",
  path: "/api/passkeys/:id",
  summary: "Name a passkey",
  params: passkeyParams,
  body: z.strictObject({ name: passkeyName }),
  response: messageSchema,
});

/** Removes a passkey and ends the user's other sessions. Errors: as `beginTotp`, `not_found`. */
export const endPasskey = defineRoute({
  method: "POST",
  path: "/api/passkeys/:id/end",
  summary: "Remove a passkey",
  params: passkeyParams,
  body: confirmationSchema,
  response: messageSchema,
});

/** What the browser asks a passkey for a sign-in; it is good for 5 minutes. */
export const beginPasskeyLogin = defineRoute({
  method: "POST",
  path: "/api/login/passkey/options",
  summary: "Begin a sign-in by passkey",
  response: optionsSchema,
});

/**
 * Signs in by passkey, which is both factors; or completes a sign-in that waits for its code. Errors: `passkey_refused`, `passwords_off`
 * (people sign in at the login provider only, and nothing waits for a code), `too_many_attempts`.
 */
export const passkeyLogin = defineRoute({
  method: "POST",
  path: "/api/login/passkey",
  summary: "Sign in by passkey",
  body: z.strictObject({ credential: credentialSchema }),
  response: login.response,
});
