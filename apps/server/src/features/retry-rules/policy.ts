import type { RetryRules } from "@portal/contract/entities/retry";
import { type NextTry, nextTry } from "../../domain/next-try.ts";
import type { TryFacts } from "../../platform/db/sql/try-history.ts";
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

/** When the retry rules have a lead called again, on the lead's clock. */
export function nextTryOf({ lead, rules, now }: Question): NextTry {
  const { tries, ...facts } = lead;
  return nextTry({
    history: {
      ...facts,
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
    kind: next.kind === "resting" ? "resting" : "waiting",
    until: answer.nextAllowedAt,
    rule: next.rule,
  };
}
