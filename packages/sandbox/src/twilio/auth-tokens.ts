import { TWILIO_AUTH_TOKEN } from "../defaults.ts";

/**
 * The account's auth tokens: webhooks are signed with the primary, the REST API takes either. Rotating is: make a secondary, then let it
 * take the primary's place (twilio.com/docs/iam/api/authtoken). Kept in memory.
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
