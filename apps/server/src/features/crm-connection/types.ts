import type { Logger } from "pino";
import { decrypt, encrypt } from "../../domain/encryption.ts";
import type { Database } from "../../platform/db/client.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { EventListener } from "../../platform/realtime/listener.ts";
import type { CrmApp, CrmAppTokens, CrmKey } from "../../ports/crm-app.ts";
import type { Mailer } from "../../ports/mailer.ts";

/** What the connection to the CRM stands on. */
export interface CrmConnectionContext {
  database: Database;
  events: EventListener;
  jobs: Jobs;
  log: Logger;
  mailer: Mailer | null;
  encryptionKey: string;
  /** Null where the app has no id and secret. */
  app: CrmApp | null;
  /** The private token with its location; null where there is none. */
  privateKey: CrmKey | null;
  /** The only location that may be connected; null for any, which is then the one. */
  locationId: string | null;
}

const purpose = "crm app tokens";

export function encryptTokens(
  { encryptionKey }: Pick<CrmConnectionContext, "encryptionKey">,
  tokens: CrmAppTokens,
): string {
  return encrypt(JSON.stringify(tokens), { encryptionKey, purpose });
}

/** The tokens of the connection; null where ENCRYPTION_KEY is another one by now. */
export function openTokens(
  { encryptionKey }: Pick<CrmConnectionContext, "encryptionKey">,
  sealed: string,
): CrmAppTokens | null {
  const text = decrypt(sealed, { encryptionKey, purpose });
  return text === null ? null : (JSON.parse(text) as CrmAppTokens);
}
