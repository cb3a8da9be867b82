import { limits } from "@portal/contract/limits";
import type { Logger } from "pino";
import type { WriteContext } from "../leads/service.ts";
import type { SmsContext } from "../sms/types.ts";

/** Delays of bulk changes, in milliseconds. */
export interface BulkTimings {
  /** Effects outside of the portal (SMS, CRM, calendar) wait this long, so that the change can be undone. */
  waitMs: number;
  /** Between two texts of a bulk change, so that the consultant's own texts stay within the rate limit. */
  textEveryMs: number;
  /** The delay before a retry while the provider cannot be reached. */
  againMs: number;
}

export const bulkTimings: BulkTimings = { waitMs: limits.bulkWaitMs, textEveryMs: 4_000, againMs: 30_000 };

export type BulkContext = WriteContext & { log: Logger; sms: SmsContext; timings: BulkTimings };
