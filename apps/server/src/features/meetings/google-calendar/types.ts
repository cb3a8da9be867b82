import type { Logger } from "pino";
import { decrypt, encrypt } from "../../../domain/encryption.ts";
import type { Database, Tx } from "../../../platform/db/client.ts";
import type { Jobs } from "../../../platform/jobs/jobs.ts";
import type { Calendar, CalendarAccount, CalendarTokens } from "../../../ports/calendar.ts";
import type { Mailer } from "../../../ports/mailer.ts";

/** Dependencies of the connection to Google. */
export interface GoogleContext {
  database: Database;
  jobs: Jobs;
  log: Logger;
  /** Null without keys for Google. */
  calendar: Calendar | null;
  encryptionKey: string;
  /** Null without a mail configuration. */
  mailer: Mailer | null;
}

const purpose = "google calendar tokens";

export function encryptTokens({ encryptionKey }: GoogleContext, tokens: CalendarTokens): string {
  return encrypt(JSON.stringify(tokens), { encryptionKey, purpose });
}

/** Decrypts an account's tokens; null if ENCRYPTION_KEY has changed. */
export function openTokens({ encryptionKey }: GoogleContext, sealed: string): CalendarTokens | null {
  const text = decrypt(sealed, { encryptionKey, purpose });
  return text === null ? null : (JSON.parse(text) as CalendarTokens);
}

/** One worker's claim on an account while it talks to Google. */
export interface Worker {
  context: GoogleContext;
  userId: number;
  google: CalendarAccount;
  /** Runs a write only while the account is still claimed by this worker. Errors: `ClaimLost`. */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}
