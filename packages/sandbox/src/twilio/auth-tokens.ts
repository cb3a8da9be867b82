import { TWILIO_AUTH_TOKEN } from "../defaults.ts";

/**
 * The account's auth tokens: webhooks are signed with the primary one, the REST API accepts both. A rotation creates a secondary one, then
 * promotes it to primary (twilio.com/docs/iam/api/authtoken). In memory only.
 */
export class AuthTokens {
  primary = TWILIO_AUTH_TOKEN;
  secondary: string | null = null;

  set(primary: string, secondary: string | null): void {
    this.primary = primary;
    this.secondary = secondary;
  }

  reset(): void {
    this.set(TWILIO_AUTH_TOKEN, null);
  }

  all(): string[] {
    return this.secondary === null ? [this.primary] : [this.primary, this.secondary];
  }
}
