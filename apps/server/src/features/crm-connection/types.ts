import type { Logger } from "pino";
import { decrypt, type EncryptionKeys, encrypt } from "../../domain/encryption.ts";
import type { Database } from "../../platform/db/client.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { EventListener } from "../../platform/realtime/listener.ts";
import type { CrmApp, CrmAppTokens, CrmKey } from "../../ports/crm.ts";
import type { Mailer } from "../../ports/notification-channels.ts";

/** What the functions of the CRM connection need. */
export interface CrmConnectionContext {
  database: Database;
  events: EventListener;
  jobs: Jobs;
  log: Logger;
  mailer: Mailer | null;
  encryptionKeys: EncryptionKeys;
  /** Null if the app has no id and secret. */
  app: CrmApp | null;
  /** The private token with its location; null if there is none. */
  privateKey: CrmKey | null;
  /** The only location that may be connected; null if any may be. */
  locationId: string | null;
}

const purpose = "crm app tokens";

export function encryptTokens(
  { encryptionKeys }: Pick<CrmConnectionContext, "encryptionKeys">,
  tokens: CrmAppTokens,
): string {
  return encrypt(JSON.stringify(tokens), { encryptionKeys, purpose });
}

/** The decrypted tokens of the connection; null if neither key reads them. */
export function openTokens(
  { encryptionKeys }: Pick<CrmConnectionContext, "encryptionKeys">,
  sealed: string,
): CrmAppTokens | null {
  const text = decrypt(sealed, { encryptionKeys, purpose });
  return text === null ? null : (JSON.parse(text) as CrmAppTokens);
}
