import type { SyncFault, SyncFaultCode } from "@portal/contract/sync-faults";
import { CrmNotConnected, CrmScopeMissing, CrmWrongLocation } from "../../ports/crm.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import type { RunKind } from "./run-repository.ts";

export const crmOffMessage = "GoHighLevel is not configured.";

function counted(n: number, one: string): string {
  return `${n} ${one}${n === 1 ? "" : "s"}`;
}

/** Message of a completed run. */
export function doneMessage(kind: RunKind, synced: number): string {
  if (kind === "recordings") return `Extracted ${counted(synced, "recording")}`;
  if (kind === "changes" && synced === 0) return "No changes in Go High Level since the last sync";
  // A run ingests the leads of the whole team, no matter who started it.
  const whose = kind === "assigned" ? " of all consultants" : "";
  return `Synced ${counted(synced, kind === "changes" ? "changed lead" : "lead")}${whose} from Go High Level`;
}

/** Message of a running run. */
export function runningMessage(kind: RunKind, synced: number): string {
  const soFar = kind === "recordings" ? counted(synced, "recording") : counted(synced, "lead");
  return `Still at work: ${soFar} so far. It goes on in the background.`;
}

/** Message of a run that waits for a decision about deletions. */
export const heldMessage =
  "Many contacts no longer exist in GoHighLevel. Nothing was marked: an administrator decides what happens to their leads.";

/** Message of a held run that was replaced by another. */
export const replacedMessage =
  "Nothing was decided about the missing contacts; a new sync has read them again.";

/** Message of a run whose deletions an administrator rejected. */
export const leftMessage = "An administrator left the leads of the missing contacts as they are.";

function reasonOf(error: unknown): string {
  if (!(error instanceof ProviderError)) return "Something went wrong on our side during the sync.";
  // For an unknown location the lists themselves answer 404.
  return error.kind === "not-found"
    ? "GoHighLevel does not know this location, or not by this key: see GHL_LOCATION_ID."
    : error.message;
}

function faultCode(error: unknown): SyncFaultCode {
  if (error instanceof CrmNotConnected) return error.reason;
  if (error instanceof CrmScopeMissing) return "not_allowed";
  if (!(error instanceof ProviderError)) return "ours";
  const { kind, httpStatus: status } = error;
  // For an unknown location the lists themselves answer 404.
  if (kind === "not-found" || status === 404 || error instanceof CrmWrongLocation) return "location_unknown";
  if (kind === "auth") return status === 403 ? "not_allowed" : "key_refused";
  if (kind === "rate-limited") return "busy";
  if (kind === "invalid") return "refused";
  if (status === null) return "silent";
  return status >= 500 ? "broken" : "unreadable";
}

/** Why a run failed, as a code that the browser translates. */
export function faultOf(error: unknown): SyncFault {
  const status = error instanceof ProviderError ? error.httpStatus : null;
  return { code: faultCode(error), status };
}

/** Message of a failed run: the reason, what was saved, and what happens next. */
export function failedMessage(kind: RunKind, error: unknown, synced: number): string {
  const what = kind === "recordings" ? "recording" : "contact";
  const kept = synced === 1 ? "was taken in" : "were taken in";
  const stays = synced === 0 ? "Nothing was taken in yet" : `${counted(synced, what)} ${kept}`;
  return `${reasonOf(error)} ${stays}; the next sync continues from there.`;
}

/** Message of a retry of failed changes. */
export function retryMessage(retried: number): string {
  return retried === 0
    ? "Nothing had failed."
    : `${counted(retried, "change")} on the way to GoHighLevel again.`;
}
