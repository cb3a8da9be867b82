import type { SavedOutcome } from "@portal/contract/entities/call";
import { createPersonalStore } from "../../../lib/store.ts";

/** What a rep says of a call. */
export interface OutcomeReport {
  leadId: number;
  /** Seconds, or 'minutes:seconds'. */
  duration: number | string;
  outcome: SavedOutcome;
  notes: string | null;
  twilioCallSid: string | null;
  /** The same report again carries the same one. */
  clientRef?: string;
}

/** An answer that was kept, by which another one can take its place. */
export type LastOutcome = OutcomeReport & { leadName: string };

/** The last outcome that one has given here; null where there is none that can be corrected. */
export const lastOutcome = createPersonalStore<LastOutcome | null>(null);

/** The one that is being corrected, in the dialog of `CallProvider`. */
export const correctedOutcome = createPersonalStore<LastOutcome | null>(null);

/** Shows the last outcome once more, for another one. */
export function correctLastOutcome(): void {
  correctedOutcome.set(lastOutcome.get());
}
