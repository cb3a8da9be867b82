import type { Logger } from "pino";
import type { Database } from "../../db/client.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { Calendar, CalendarTokens } from "../../ports/calendar.ts";
import { openSealed, sealText } from "../../values/sealed-text.ts";

/** What the connection to Google stands on. */
export interface GoogleContext {
  database: Database;
  jobs: Jobs;
  log: Logger;
  /** Null where Google has no keys. */
  calendar: Calendar | null;
  encryptionKey: string;
}

const purpose = "google calendar tokens";

export function sealTokens({ encryptionKey }: GoogleContext, tokens: CalendarTokens): string {
  return sealText(JSON.stringify(tokens), { encryptionKey, purpose });
}

/** The tokens of an account; null where ENCRYPTION_KEY is another one by now. */
export function openTokens({ encryptionKey }: GoogleContext, sealed: string): CalendarTokens | null {
  const text = openSealed(sealed, { encryptionKey, purpose });
  return text === null ? null : (JSON.parse(text) as CalendarTokens);
}
