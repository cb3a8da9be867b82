import { limits } from "@portal/contract/limits";
import type { Logger } from "pino";
import type { WriteContext } from "../leads/service.ts";
import type { SmsContext } from "../sms/types.ts";

/** Waits of acts on many leads, in milliseconds. */
export interface BulkTimings {
  /** Effects outside of the portal (SMS, CRM, calendar) wait this long, so that the change can be undone. */
  waitMs: number;
  /** Between two texts of an act: a consultant's own texts find room in their minute. */
  textEveryMs: number;
  /** Where the provider is out of reach, its next try. */
  againMs: number;
}

export const bulkTimings: BulkTimings = { waitMs: limits.bulkWaitMs, textEveryMs: 4_000, againMs: 30_000 };

export type BulkContext = WriteContext & { log: Logger; sms: SmsContext; timings: BulkTimings };
