import { type CallOutcome, callOutcomes } from "@portal/contract/entities/call";

interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly target: EventTarget | null;
}

/** The outcome that a key stands for: 1 to 6 in the order shown, except while something is typed. */
export function outcomeOfKey(event: KeyPress): CallOutcome | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  if (event.target instanceof Element && event.target.matches("input, textarea, select")) return null;
  return /^[1-6]$/.test(event.key) ? (callOutcomes[Number(event.key) - 1] ?? null) : null;
}
