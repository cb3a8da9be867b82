import type { ProviderError } from "../../ports/provider-error.ts";

/** Runs requests, and refuses them at once while the provider is known to be down. */
export type Circuit = <T>(request: () => Promise<T>) => Promise<T>;

/**
 * Opens after `failures` requests in a row that found the provider unavailable, for `openMs`; then one request tries again
 * and closes it or keeps it open. Refusals are answers: they close it.
 */
export function createCircuit(options: {
  failures: number;
  openMs: number;
  refuse: (retryAfterSeconds: number) => ProviderError;
  toProviderError: (error: unknown) => ProviderError;
  now?: () => number;
}): Circuit {
  const now = options.now ?? Date.now;
  let failed = 0;
  let openUntil = 0;

  return async (request) => {
    const wait = openUntil - now();
    if (wait > 0) throw options.refuse(Math.ceil(wait / 1000));
    // Those who come while this one tries are refused; its end decides.
    if (failed >= options.failures) openUntil = now() + options.openMs;
    try {
      const answer = await request();
      failed = 0;
      openUntil = 0;
      return answer;
    } catch (thrown) {
      const error = options.toProviderError(thrown);
      if (error.kind === "unavailable") {
        failed += 1;
        if (failed >= options.failures) openUntil = now() + options.openMs;
      } else {
        failed = 0;
        openUntil = 0;
      }
      throw error;
    }
  };
}
