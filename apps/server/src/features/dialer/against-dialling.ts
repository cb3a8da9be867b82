import type { DialerSkipReason, DialerSource } from "@portal/contract/entities/dialer";
import type { DialFacts } from "./data-items.ts";

/** Whether somebody chose these leads although they are not interested. */
function asksForNotInterested(source: DialerSource): boolean {
  if (source.kind === "filter") return source.status === "not_interested";
  return source.kind === "selection" || source.kind === "call_back";
}

/** What speaks against dialling a lead of this list now, beside what the gate knows: the rule of the preview and of the dialling. */
export function reasonAgainst(facts: DialFacts, source: DialerSource): DialerSkipReason | null {
  if (facts.status === "converted") return "converted";
  if (facts.status === "not_interested" && !asksForNotInterested(source)) return "not_interested";
  if (facts.leased) return "leased";
  return facts.dialled ? "dialled_by_colleague" : null;
}
