import { ProviderError, type ProviderFailure } from "../../ports/provider-error.ts";
import type { Found } from "./check.ts";

const byKind: Record<ProviderFailure, Pick<Found, "status" | "finding">> = {
  auth: { status: "fail", finding: "refused" },
  "not-found": { status: "fail", finding: "refused" },
  "rate-limited": { status: "warn", finding: "busy" },
  invalid: { status: "fail", finding: "unexpected_answer" },
  unavailable: { status: "fail", finding: "no_answer" },
};

/** What a provider's failure says of its keys and its state. */
export function findingOf(error: unknown): Found {
  if (!(error instanceof ProviderError)) throw error;
  const code = error.providerCode === null ? "" : ` (${error.providerCode})`;
  return {
    ...byKind[error.kind],
    values: { seconds: error.retryAfterSeconds },
    detail: error.message + code,
  };
}

/** Asks once, however many checks read the answer. */
export function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    answer ??= ask();
    return answer;
  };
}
