import { type ContactRefusal, type ErrorCode, errorStatus, type MergeRefusal } from "@portal/contract/errors";
import type { SyncFault } from "@portal/contract/sync-faults";

const defaultMessages: Partial<Record<ErrorCode, string>> = {
  invalid: "The request is not valid.",
  unauthenticated: "Unauthorized",
  forbidden: "You do not have permission to do this.",
  not_your_lead: "This lead is assigned to another consultant.",
  not_found: "Not found",
  second_factor_needed: "Enter the code of your second factor.",
  second_factor_setup_needed: "Your role needs a second factor. Set one up first.",
  code_wrong: "This code is not right, or was used already.",
  passkey_refused: "This passkey was not accepted. Try again, or sign in another way.",
  passwords_off: "Passwords are kept by your login provider. Change yours there.",
  origin_refused: "This request came from another site and was refused.",
  unavailable: "The service is briefly unavailable. Please try again in a moment.",
  internal: "Something went wrong on our side. Please try again.",
  provider_off: "This provider is not configured.",
};

export interface ErrorExtras {
  reason?: ContactRefusal;
  /** When a temporary reason ends, as an ISO instant. */
  nextAllowedAt?: string;
  retryAfterSeconds?: number;
  /** Why a sync failed. */
  syncFault?: SyncFault;
  /** Current values of the fields that somebody else changed meanwhile. */
  now?: Record<string, string | null>;
  /** Why two leads cannot be merged, or why a merge cannot be undone. */
  mergeRefusal?: MergeRefusal;
}

/** An error with a code, a status and a text for people. Services throw it; the error handler turns it into the response. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly extras: ErrorExtras;

  constructor(code: ErrorCode, message?: string, extras: ErrorExtras = {}) {
    super(message ?? defaultMessages[code] ?? code);
    this.code = code;
    this.status = errorStatus[code];
    this.extras = extras;
  }
}
