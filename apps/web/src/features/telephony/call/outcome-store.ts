import type { SavedOutcome } from "@portal/contract/entities/call";
import { createPersonalStore } from "../../../lib/store.ts";

/** A consultant's report of a call. */
export interface OutcomeReport {
  leadId: number;
  leadName: string;
  /** Seconds, or 'minutes:seconds'. */
  duration: number | string;
  outcome: SavedOutcome;
  notes: string | null;
  twilioCallSid: string | null;
  /** Equal for repetitions of the same report. */
  clientRef?: string;
}

/** The last outcome given in this browser, if it can be corrected, else null. */
export const lastOutcome = createPersonalStore<OutcomeReport | null>(null);

/** The outcome being corrected in the dialog of `CallProvider`, or null. */
export const correctedOutcome = createPersonalStore<OutcomeReport | null>(null);

/** Opens the dialog that corrects the last outcome. */
export function correctLastOutcome(): void {
  correctedOutcome.set(lastOutcome.get());
}
