import type { Tx } from "../../db/client.ts";
import type { CalendarAccount } from "../../ports/calendar.ts";
import type { GoogleContext } from "./context.ts";

/** One worker's hold on one account while it speaks to Google. */
export interface Worker {
  context: GoogleContext;
  userId: number;
  google: CalendarAccount;
  /** A write that only happens while the account is still this worker's. Errors: `ClaimLost`. */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}
