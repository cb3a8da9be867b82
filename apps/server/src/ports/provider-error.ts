import type { SetupFault } from "@portal/contract/entities/meeting";

/** How a provider failed: only `rate-limited` and `unavailable` reads are worth another try. */
export type ProviderFailure = "auth" | "rate-limited" | "invalid" | "unavailable" | "not-found";

/** A provider refused or did not answer. `message` is fit for a rep to read; the provider's own words go to the log as `cause`. */
export class ProviderError extends Error {
  readonly provider: string;
  readonly kind: ProviderFailure;
  /** The provider's own code, for example Twilio's 21211. */
  readonly providerCode: number | null;
  /** Of the answer, where there was one and the adapter says it. */
  readonly httpStatus: number | null;
  readonly retryAfterSeconds: number | null;
  /** Set where neither this request nor its subject is at fault: the provider has to be set up by a person first. */
  readonly setup: SetupFault | null;
  /** True when the request may have taken effect all the same (time-out, lost answer). */
  readonly ambiguous: boolean;

  constructor(options: {
    provider: string;
    kind: ProviderFailure;
    message: string;
    providerCode?: number | null;
    httpStatus?: number | null;
    retryAfterSeconds?: number | null;
    ambiguous?: boolean;
    setup?: SetupFault | null;
    cause?: unknown;
  }) {
    super(options.message, { cause: options.cause });
    this.provider = options.provider;
    this.kind = options.kind;
    this.providerCode = options.providerCode ?? null;
    this.httpStatus = options.httpStatus ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.setup = options.setup ?? null;
    this.ambiguous = options.ambiguous ?? false;
  }
}
