import type { ContactRefusal } from "@portal/contract/errors";
import type { Logger } from "pino";
import type { Database } from "../../db/client.ts";
import { AppError, type ErrorExtras } from "../../http/app-error.ts";
import { insertRefusal, type RefusedAttempt } from "./data-refusals.ts";

/** Thrown where the gate says no to somebody who tries to contact a lead. */
export class ContactRefused extends AppError {
  readonly reason: ContactRefusal;

  constructor(
    code: "contact_refused" | "lead_without_phone" | "rep_on_call" | "lead_on_call",
    message: string,
    { reason, ...extras }: ErrorExtras & { reason: ContactRefusal },
  ) {
    super(code, message, code === "contact_refused" ? { reason, ...extras } : extras);
    this.reason = reason;
  }
}

/**
 * Runs an attempt to contact a lead. Where the gate refuses it the refusal is kept after the attempt's own transaction is rolled back,
 * and thrown on. What cannot be kept is logged: the answer stays the refusal.
 */
export async function keepingRefusal<T>(
  { database, log }: { database: Database; log: Logger },
  attempt: Omit<RefusedAttempt, "reason">,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ContactRefused) {
      const { reason } = error;
      const kept = database.transaction((tx) => insertRefusal(tx, { ...attempt, reason }));
      await kept.catch((failure: Error) => log.error({ err: failure, reason }, "refusal not kept"));
    }
    throw error;
  }
}
