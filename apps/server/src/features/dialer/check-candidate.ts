import type { DialerSkipReason, DialerSource } from "@portal/contract/entities/dialer";
import type { NextTry } from "../../domain/next-try.ts";
import { decideContact, type LeadFacts } from "../contact-policy/decide-contact.ts";
import { nextTryOf, type Rules, tryOutlook } from "../retry-rules/policy.ts";
import type { DialFacts } from "./item-repository.ts";

/** What the consultant chose at the start of a session. */
export interface Wish {
  source: DialerSource;
  /** Include leads whose next try is later by the retry rules. */
  includeTried: boolean;
  /** When it was chosen: at the start, or when the lead was added to the session. */
  startedAt: Date;
}

interface Asked {
  wish: Wish;
  rules: Rules;
  now: Date;
}

/** Whether these leads were chosen although they are not interested. */
function asksForNotInterested(source: DialerSource): boolean {
  if (source.kind === "filter") return source.status === "not_interested";
  return asksWhenever(source);
}

/** Lists whose leads were chosen for a reason that overrides the retry rules. */
function asksWhenever({ kind }: DialerSource): boolean {
  return kind === "selection" || kind === "call_back" || kind === "today";
}

/**
 * Whether a lead is called although it was tried before: if it was selected, called us or is on Today's list; otherwise, with
 * `includeTried`, only if it waits for its next try. Leads at rest, without a decision or with a promised later call are called in the
 * first case only.
 */
function asksForTried({ source, includeTried }: Wish, { kind }: NextTry): boolean {
  return asksWhenever(source) || (includeTried && kind === "waiting");
}

/** The skip reason that follows from a promised call or the retry rules. A number at fault is the contact policy's concern. */
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
 * Why a lead of this list is not dialed at `now`, apart from the contact policy. The preview, the choice of the next lead and the dialing
 * all use this. The choices made at the start refer to the tries and promises of that moment, not to later ones.
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

/** Reasons that end at a known time. */
export const putOffReasons: readonly (DialerSkipReason | null)[] = [
  "tried_recently",
  "promised",
  "retry_waiting",
  "retry_resting",
];

/**
 * The skip reason including the contact policy, and the later of both times from which the lead may be called. The consultant's own state
 * is not considered.
 */
export function findSkipReason(
  lead: LeadFacts & DialFacts,
  asked: Asked,
): { reason: DialerSkipReason | null; allowedAt: Date | null } {
  // In the order in which the dialing checks.
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
