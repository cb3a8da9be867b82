import type { RetryRules } from "@portal/contract/entities/retry";
import { startOfDay } from "../../domain/contact-window.ts";
import { type NextTry, nextTry } from "../../domain/next-try.ts";
import type { TryFacts } from "../../platform/db/sql/call-logs.ts";
import {
  type ContactPolicyRules,
  contactClock,
  decideContact,
  type LeadFacts,
} from "../contact-policy/decide-contact.ts";

/** Which rules hold: the organisation's for calling again, and those of the contact policy, which has the last word. */
export interface Rules {
  retry: RetryRules;
  contact: ContactPolicyRules;
}

interface Question {
  lead: LeadFacts & TryFacts;
  rules: Rules;
  now: Date;
}

/** What somebody planned for a lead: with a time, or from the beginning of its day on. */
export function followUpOf(
  { followUpAt, followUpDate }: Pick<TryFacts, "followUpAt" | "followUpDate">,
  orgTimeZone: string,
): { at: Date; hasTime: boolean } | null {
  if (followUpAt) return { at: followUpAt, hasTime: true };
  return followUpDate && { at: startOfDay(followUpDate, orgTimeZone), hasTime: false };
}

/** When the retry rules have a lead called again, on the lead's clock. */
export function nextTryOf({ lead, rules, now }: Question): NextTry {
  const { tries, ...facts } = lead;
  const followUp = followUpOf(lead, rules.contact.orgTimeZone);
  return nextTry({
    history: {
      ...facts,
      followUpAt: followUp?.at ?? null,
      tries: tries.map(([at, outcome]) => ({ at: new Date(at), outcome: outcome as NextTryOutcome })),
    },
    rules: rules.retry,
    clock: contactClock({ lead, rules: rules.contact }),
    now,
  });
}

type NextTryOutcome = Parameters<typeof nextTry>[0]["history"]["tries"][number]["outcome"];

/** The same with what the contact policy will say then: the stricter of both. Somebody on the line with the lead now is no reason for later. */
export function tryOutlook(question: Question): NextTry {
  const { lead, rules, now } = question;
  const next = nextTryOf(question);
  if (next.kind === "never" || next.kind === "asks") return next;
  const at = next.kind === "due" ? now : next.until;
  const answer = decideContact({
    lead: { ...lead, leadOnCall: false },
    channel: "call",
    now: at,
    rules: rules.contact,
  });
  if (answer.allowed) return next;
  if (!answer.nextAllowedAt) return { kind: "never", rule: next.rule };
  return {
    kind: next.kind === "due" ? "waiting" : next.kind,
    until: answer.nextAllowedAt,
    rule: next.rule,
  };
}
