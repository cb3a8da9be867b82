import type { SetupFault } from "@portal/contract/entities/meeting";

/** Why a request to a provider failed. Only `rate-limited` and `unavailable` reads are worth a retry. */
export type ProviderFailure = "auth" | "rate-limited" | "invalid" | "unavailable" | "not-found";

/**
 * A provider refused a request or did not respond. `message` may be shown to a consultant; `cause` holds the provider's own text for the
 * log.
 */
export class ProviderError extends Error {
  readonly provider: string;
  readonly kind: ProviderFailure;
  /** The provider's error code, for example Twilio's 21211. */
  readonly providerCode: number | null;
  /** Status of the response; null if there was none or the adapter does not set it. */
  readonly httpStatus: number | null;
  readonly retryAfterSeconds: number | null;
  /** Set if a person must first change a setting at the provider; then neither the request nor its subject is wrong. */
  readonly setup: SetupFault | null;
  /** Whether the request may have taken effect despite the error (timeout, lost response). */
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
