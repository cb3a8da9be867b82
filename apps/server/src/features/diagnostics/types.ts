import type { SourceAccess, WebhookSourceName } from "@portal/contract/entities/lead-webhook";
import type { Logger } from "pino";
import type { Database, Db } from "../../platform/db/client.ts";
import type { Mailer } from "../../ports/mailer.ts";
import type { CrmProbe, TelephonyProbe } from "../../ports/probe.ts";
import type { CrmConnectionContext } from "../crm-connection/types.ts";

/** What the checks look at. */
export interface DiagnosticsContext {
  db: Db;
  database: Database;
  log: Logger;
  publicUrl: string;
  /** Null where the provider has no key. */
  crm: CrmProbe | null;
  crmConnection: CrmConnectionContext;
  telephony: TelephonyProbe | null;
  /** E.164; null where there is none. */
  officeLine: string | null;
  /** Google has keys. */
  hasCalendar: boolean;
  /** Null where the portal sends no mail. */
  mailer: Mailer | null;
  /** All visitors seem to come from one address: the proxy's. */
  isProxyUnknown: boolean;
  /** Whom a source of leads lets in. */
  accessOf: (source: WebhookSourceName) => Promise<SourceAccess>;
}
