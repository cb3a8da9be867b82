import type { Logger } from "pino";
import { decrypt, type EncryptionKeys, encrypt } from "../../../domain/encryption.ts";
import type { Database, Tx } from "../../../platform/db/client.ts";
import type { Jobs } from "../../../platform/jobs/jobs.ts";
import type { Calendar, CalendarAccount, CalendarTokens } from "../../../ports/calendar.ts";
import type { Mailer } from "../../../ports/notification-channels.ts";

/** Dependencies of the connection to Google. */
export interface GoogleContext {
  database: Database;
  jobs: Jobs;
  log: Logger;
  /** Null without keys for Google. */
  calendar: Calendar | null;
  encryptionKeys: EncryptionKeys;
  /** Null without a mail configuration. */
  mailer: Mailer | null;
}

const purpose = "google calendar tokens";

export function encryptTokens({ encryptionKeys }: GoogleContext, tokens: CalendarTokens): string {
  return encrypt(JSON.stringify(tokens), { encryptionKeys, purpose });
}

/** Decrypts an account's tokens; null if neither key reads them. */
export function openTokens({ encryptionKeys }: GoogleContext, sealed: string): CalendarTokens | null {
  const text = decrypt(sealed, { encryptionKeys, purpose });
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
