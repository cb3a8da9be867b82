import type { SavedOutcome } from "@portal/contract/entities/call";
import { createPersonalStore } from "../../../lib/store.ts";

/** What a rep says of a call. */
export interface OutcomeReport {
  leadId: number;
  leadName: string;
  /** Seconds, or 'minutes:seconds'. */
  duration: number | string;
  outcome: SavedOutcome;
  notes: string | null;
  twilioCallSid: string | null;
  /** The same report again carries the same one. */
  clientRef?: string;
}

/** The last outcome that one has given here; null where there is none that can be corrected. */
export const lastOutcome = createPersonalStore<OutcomeReport | null>(null);

/** The one that is being corrected, in the dialog of `CallProvider`. */
export const correctedOutcome = createPersonalStore<OutcomeReport | null>(null);

/** Shows the last outcome once more, for another one. */
export function correctLastOutcome(): void {
  correctedOutcome.set(lastOutcome.get());
}
