import { limits } from "@portal/contract/limits";
import type { BadgeTone } from "../../ui/badge.tsx";

/** What to do with a lead that was called so often (specification §2). */
export function nextActionOf(calls: number): "scheduleFollowUp" | "wellEngaged" | "continueCalling" {
  if (calls === 1) return "scheduleFollowUp";
  return calls >= limits.followUpCalls ? "wellEngaged" : "continueCalling";
}

/** Colours of the call-count badge: 0 red, 1 yellow, 3 and more green, else blue. */
export function callCountTone(calls: number): BadgeTone {
  if (calls === 0) return "danger";
  if (calls === 1) return "warning";
  return calls >= limits.followUpCalls ? "success" : "info";
}
