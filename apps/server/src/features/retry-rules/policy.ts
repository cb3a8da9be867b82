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

/** The rules in force: the organization's retry rules, and the contact policy, which takes precedence. */
export interface Rules {
  retry: RetryRules;
  contact: ContactPolicyRules;
}

interface Question {
  lead: LeadFacts & TryFacts;
  rules: Rules;
  now: Date;
}

/** The planned follow-up of a lead: with a time, or from the start of its day. */
export function followUpOf(
  { followUpAt, followUpDate }: Pick<TryFacts, "followUpAt" | "followUpDate">,
  orgTimeZone: string,
): { at: Date; hasTime: boolean } | null {
  if (followUpAt) return { at: followUpAt, hasTime: true };
  return followUpDate && { at: startOfDay(followUpDate, orgTimeZone), hasTime: false };
}

/** The next try by the retry rules, in the lead's time zone. */
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

/** The next try, also considering the contact policy at that time: the stricter of both. A current call with the lead does not delay it. */
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
