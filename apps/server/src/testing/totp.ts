import { Secret, TOTP } from "otpauth";

/** The code that an authenticator app shows, or showed or will show some half minutes from now. */
export function totpCode(secret: string, steps = 0): string {
  const timestamp = Date.now() + steps * 30_000;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}
