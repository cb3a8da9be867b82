import type { DialerSkipReason, DialerSource } from "@portal/contract/entities/dialer";
import type { NextTry } from "../../domain/next-try.ts";
import { decideContact, type LeadFacts } from "../contact-policy/decide-contact.ts";
import { nextTryOf, type Rules, tryOutlook } from "../retry-rules/policy.ts";
import type { DialFacts } from "./item-repository.ts";

/** What the consultant asked for at Start. */
export interface Wish {
  source: DialerSource;
  /** Also leads whose next try by the retry rules is later. */
  includeTried: boolean;
  /** When it was asked for: at the start, or when the lead was listed after it. */
  startedAt: Date;
}

interface Asked {
  wish: Wish;
  rules: Rules;
  now: Date;
}

/** Whether somebody chose these leads although they are not interested. */
function asksForNotInterested(source: DialerSource): boolean {
  if (source.kind === "filter") return source.status === "not_interested";
  return asksWhenever(source);
}

/** Lists whose leads were chosen for a reason that goes before the rules for calling again. */
function asksWhenever({ kind }: DialerSource): boolean {
  return kind === "selection" || kind === "call_back" || kind === "today";
}

/** Leads chosen by hand, and those who called and reached nobody, are asked for whenever they were tried; who rests, awaits a decision or was promised a later call only so. */
function asksForTried({ source, includeTried }: Wish, { kind }: NextTry): boolean {
  return asksWhenever(source) || (includeTried && kind === "waiting");
}

/** What a promised call and the retry rules say against a try now. Of a number at fault the contact policy tells. */
function retryReason(next: NextTry): DialerSkipReason | null {
  switch (next.kind) {
    case "promised":
      return "promised";
    case "waiting":
      return next.rule ? "retry_waiting" : "tried_recently";
    case "resting":
      return "retry_resting";
    case "asks":
      return "retry_asks";
    default:
      return null;
  }
}

/**
 * What speaks against dialling a lead of this list at `now`, beside what the contact policy knows: the rule of the preview, of the lead that is named
 * next, and of the dialling. What was asked for at Start is asked for with the tries and promises of that moment: a later one was not asked for.
 */
export function skipReasonOf(
  lead: LeadFacts & DialFacts,
  { wish, rules, now }: Asked,
): DialerSkipReason | null {
  if (lead.status === "converted") return "converted";
  if (lead.status === "not_interested" && !asksForNotInterested(wish.source)) return "not_interested";
  if (lead.leased) return "leased";
  const at = lead.tries[0]?.[0];
  const since = at !== undefined && at > wish.startedAt.getTime();
  if (lead.dialled && (since || !wish.includeTried)) return "dialled_by_colleague";
  const next = nextTryOf({ lead, rules, now });
  if (next.kind === "promised" && lead.plannedAt && lead.plannedAt > wish.startedAt) return "promised";
  return since || !asksForTried(wish, next) ? retryReason(next) : null;
}

/** The reasons whose time comes by itself: until when is known. */
export const putOffReasons: readonly (DialerSkipReason | null)[] = [
  "tried_recently",
  "promised",
  "retry_waiting",
  "retry_resting",
];

/**
 * The same with the contact policy's answer about the lead; `allowedAt` where waiting helps, by the stricter of both. What concerns the
 * consultant is not asked.
 */
export function findSkipReason(
  lead: LeadFacts & DialFacts,
  asked: Asked,
): { reason: DialerSkipReason | null; allowedAt: Date | null } {
  // In the order in which the dialling asks.
  const against = skipReasonOf(lead, asked);
  if (putOffReasons.includes(against)) {
    const outlook = tryOutlook({ ...asked, lead });
    if ("until" in outlook) return { reason: against, allowedAt: outlook.until };
  } else if (against) return { reason: against, allowedAt: null };
  const answer = decideContact({ lead, channel: "call", now: asked.now, rules: asked.rules.contact });
  return answer.allowed
    ? { reason: against, allowedAt: null }
    : { reason: answer.reason, allowedAt: answer.nextAllowedAt ?? null };
}
