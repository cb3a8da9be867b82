import type { SourceAccess, WebhookSourceName } from "@portal/contract/entities/lead-webhook";
import type { Logger } from "pino";
import type { EncryptionKeys } from "../../domain/encryption.ts";
import type { Database, Db } from "../../platform/db/client.ts";
import type { Mailer } from "../../ports/notification-channels.ts";
import type { CrmProbe, TelephonyProbe } from "../../ports/probe.ts";
import type { CrmConnectionContext } from "../crm-connection/types.ts";

/** Dependencies of the checks. */
export interface DiagnosticsContext {
  db: Db;
  database: Database;
  log: Logger;
  publicUrl: string;
  /** Null without a configuration. */
  crm: CrmProbe | null;
  crmConnection: CrmConnectionContext;
  telephony: TelephonyProbe | null;
  /** E.164; null without one. */
  officeLine: string | null;
  /** Google Calendar is configured. */
  hasCalendar: boolean;
  /** Null without a mail configuration. */
  mailer: Mailer | null;
  /** All clients have the same address, so a proxy is not trusted yet. */
  isProxyUnknown: boolean;
  encryptionKeys: EncryptionKeys;
  /** How a source authenticates its senders. */
  accessOf: (source: WebhookSourceName) => Promise<SourceAccess>;
}
