import type { DialerVerdict } from "@portal/contract/dialer-machine";
import { AppError } from "../../http/app-error.ts";

/** Thrown inside the call's transaction where the session itself speaks against the call; null where it has moved on. */
export class Refused extends Error {
  readonly verdict: DialerVerdict | null;

  constructor(verdict: DialerVerdict | null) {
    super("the session does not dial");
    this.verdict = verdict;
  }
}

/** A cap that lets go within this time is waited for. */
const patienceMs = 2 * 60_000;

/** What a refused call means for the session. Errors: whatever is no refusal. */
export function verdictOf(error: unknown, now: number): DialerVerdict | null {
  if (error instanceof Refused) return error.verdict;
  if (!(error instanceof AppError)) throw error;
  const { reason, nextAllowedAt, retryAfterSeconds } = error.extras;
  switch (error.code) {
    case "contact_refused": {
      if (reason !== "rep_cap") return { kind: "skip", reason: reason ?? "invalid_phone" };
      const at = nextAllowedAt ? Date.parse(nextAllowedAt) : Number.POSITIVE_INFINITY;
      return at - now <= patienceMs ? { kind: "later", at } : { kind: "pause", reason: "rep_cap" };
    }
    case "lead_without_phone":
      return { kind: "skip", reason: "no_phone" };
    case "not_your_lead":
    case "not_found":
      return { kind: "skip", reason: "not_yours" };
    case "lead_on_call":
      return { kind: "skip", reason: "lead_on_call" };
    case "rep_on_call":
      return { kind: "pause", reason: "rep_on_call" };
    case "rep_without_phone":
      return { kind: "pause", reason: "rep_without_phone" };
    case "rate_limited":
      return { kind: "later", at: now + (retryAfterSeconds ?? 2) * 1000 };
    case "provider_off":
      return { kind: "pause", reason: "provider" };
    default:
      // The call has its row already, and its own end is what the session hears.
      return null;
  }
}
