import type { Logger } from "pino";
import { decrypt, encrypt } from "../../../domain/encryption.ts";
import type { Database, Tx } from "../../../platform/db/client.ts";
import type { Jobs } from "../../../platform/jobs/jobs.ts";
import type { Calendar, CalendarAccount, CalendarTokens } from "../../../ports/calendar.ts";
import type { Mailer } from "../../../ports/mailer.ts";

/** What the connection to Google stands on. */
export interface GoogleContext {
  database: Database;
  jobs: Jobs;
  log: Logger;
  /** Null where Google has no keys. */
  calendar: Calendar | null;
  encryptionKey: string;
  /** Null where the portal sends no mail. */
  mailer: Mailer | null;
}

const purpose = "google calendar tokens";

export function encryptTokens({ encryptionKey }: GoogleContext, tokens: CalendarTokens): string {
  return encrypt(JSON.stringify(tokens), { encryptionKey, purpose });
}

/** The tokens of an account; null where ENCRYPTION_KEY is another one by now. */
export function openTokens({ encryptionKey }: GoogleContext, sealed: string): CalendarTokens | null {
  const text = decrypt(sealed, { encryptionKey, purpose });
  return text === null ? null : (JSON.parse(text) as CalendarTokens);
}

/** One worker's hold on one account while it speaks to Google. */
export interface Worker {
  context: GoogleContext;
  userId: number;
  google: CalendarAccount;
  /** A write that only happens while the account is still this worker's. Errors: `ClaimLost`. */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}
