import { type ContactRefusal, type ErrorCode, errorStatus, type MergeRefusal } from "@portal/contract/errors";
import type { SyncFault } from "@portal/contract/sync-faults";

const defaultMessages: Partial<Record<ErrorCode, string>> = {
  invalid: "The request is not valid.",
  unauthenticated: "Unauthorized",
  forbidden: "You do not have permission to do this.",
  not_your_lead: "This lead is assigned to another consultant.",
  not_found: "Not found",
  passwords_off: "Passwords are kept by your login provider. Change yours there.",
  origin_refused: "This request came from another site and was refused.",
  unavailable: "The service is briefly unavailable. Please try again in a moment.",
  internal: "Something went wrong on our side. Please try again.",
  provider_off: "This provider is not configured.",
};

export interface ErrorExtras {
  reason?: ContactRefusal;
  /** With a reason that ends by itself: when, as an ISO instant. */
  nextAllowedAt?: string;
  retryAfterSeconds?: number;
  /** Why a sync failed. */
  syncFault?: SyncFault;
  /** What is there now, of what was changed meanwhile. */
  now?: Record<string, string | null>;
  /** Why two leads cannot be merged, or a merge not be undone. */
  mergeRefusal?: MergeRefusal;
}

/** A refusal with its code, status and the text a person reads. Services throw it; the error handler answers it. */
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
