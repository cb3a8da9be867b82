import type { IntakeAccess, IntakeSource } from "@portal/contract/entities/lead-webhook";
import type { Logger } from "pino";
import type { Db } from "../../db/client.ts";
import type { CrmProbe, TelephonyProbe } from "../../ports/probe.ts";

/** What the checks look at. */
export interface DiagnosticsContext {
  db: Db;
  log: Logger;
  publicUrl: string;
  /** Null where the provider has no key. */
  crm: CrmProbe | null;
  telephony: TelephonyProbe | null;
  /** Google has keys. */
  hasCalendar: boolean;
  /** Whom a source of leads lets in. */
  accessOf: (source: IntakeSource) => Promise<IntakeAccess>;
}
