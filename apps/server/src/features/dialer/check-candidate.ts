import type { DialerSkipReason, DialerSource } from "@portal/contract/entities/dialer";
import { limits } from "@portal/contract/limits";
import { type ContactPolicyRules, decideContact, type LeadFacts } from "../contact-policy/decide-contact.ts";
import type { DialFacts } from "./item-repository.ts";

/** What the consultant asked for at Start. */
export interface Wish {
  source: DialerSource;
  /** Also leads that had been tried within the hour before. */
  includeTried: boolean;
  startedAt: Date;
}

/** Whether somebody chose these leads although they are not interested. */
function asksForNotInterested(source: DialerSource): boolean {
  if (source.kind === "filter") return source.status === "not_interested";
  return source.kind === "selection" || source.kind === "call_back";
}

/** Leads chosen by hand, and those who called and reached nobody, are asked for whenever they were tried. */
function asksForTried({ source, includeTried }: Wish): boolean {
  return includeTried || source.kind === "selection" || source.kind === "call_back";
}

/**
 * What speaks against dialling a lead of this list at `now`, beside what the contact policy knows: the rule of the preview, of the lead that is named
 * next, and of the dialling. What was asked for at Start is asked for with the attempts of that moment: a later one was not asked for.
 */
export function skipReasonOf(facts: DialFacts, wish: Wish, now: Date): DialerSkipReason | null {
  if (facts.status === "converted") return "converted";
  if (facts.status === "not_interested" && !asksForNotInterested(wish.source)) return "not_interested";
  if (facts.leased) return "leased";
  const at = facts.triedAt;
  const since = at !== null && at > wish.startedAt;
  if (facts.dialled && (since || !wish.includeTried)) return "dialled_by_colleague";
  const recent = at !== null && now.getTime() - at.getTime() < limits.dialerTriedMs;
  return recent && (since || !asksForTried(wish)) ? "tried_recently" : null;
}

/** The same with the contact policy's answer about the lead; `allowedAt` where waiting helps. What concerns the consultant is not asked. */
export function findSkipReason(
  lead: LeadFacts & DialFacts,
  { wish, rules, now }: { wish: Wish; rules: ContactPolicyRules; now: Date },
): { reason: DialerSkipReason | null; allowedAt: Date | null } {
  // In the order in which the dialling asks.
  const against = skipReasonOf(lead, wish, now);
  if (against) return { reason: against, allowedAt: null };
  const answer = decideContact({ lead, channel: "call", now, rules });
  return answer.allowed
    ? { reason: null, allowedAt: null }
    : { reason: answer.reason, allowedAt: answer.nextAllowedAt ?? null };
}
