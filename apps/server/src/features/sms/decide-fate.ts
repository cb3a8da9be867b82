import type { ContactRefusal } from "@portal/contract/errors";
import type { AppError } from "../../platform/http/app-error.ts";

/** A consultant's full minute is waited for; a full day is not. */
const longestWaitMs = 5 * 60_000;
/** A provider that is out of reach is asked again for so long. */
const patienceMs = 3_600_000;

/** What becomes of a text that nobody waits for: it goes again in a while, as a new one where it surely was not sent, or it does not go. */
export type SmsFate =
  | { leftOut: ContactRefusal | "not_yours" | "not_sent" }
  | { waitMs: number; isAnew: boolean };

/** What a refusal of a text means that was due at `since`; `againMs` is the wait for a provider that is out of reach. */
export function decideFate(
  { code, extras }: AppError,
  { since, againMs }: { since: Date; againMs: number },
): SmsFate {
  if (code === "provider_unavailable" && Date.now() - since.getTime() < patienceMs)
    return { waitMs: Math.max(againMs, (extras.retryAfterSeconds ?? 0) * 1_000), isAnew: true };
  if (extras.reason === "rep_cap" && extras.nextAllowedAt) {
    const waitMs = new Date(extras.nextAllowedAt).getTime() - Date.now();
    if (waitMs <= longestWaitMs) return { waitMs: Math.max(waitMs, 1_000), isAnew: false };
  }
  if (extras.reason) return { leftOut: extras.reason };
  if (code === "lead_without_phone") return { leftOut: "no_phone" };
  if (code === "lead_on_call") return { leftOut: "lead_on_call" };
  if (code === "not_your_lead") return { leftOut: "not_yours" };
  return { leftOut: "not_sent" };
}
