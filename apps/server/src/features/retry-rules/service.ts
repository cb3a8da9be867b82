import type { LeadStatus } from "@portal/contract/entities/lead";
import {
  type NextTry as ContractNextTry,
  type RetryCounts,
  type RetryPreview,
  type RetryRule,
  type RetryRules,
  retriedOutcomes,
  type SavedRetryRules,
} from "@portal/contract/entities/retry";
import { limits } from "@portal/contract/limits";
import type { NextTry } from "../../domain/next-try.ts";
import type { Database, Tx } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { audienceOf, publishEvent } from "../../platform/realtime/publish.ts";
import { recordAudit, recordLeadEvent } from "../activity/service.ts";
import { type ContactPolicyRules, contactClock } from "../contact-policy/decide-contact.ts";
import { queueCrmChange } from "../crm-outbox/service.ts";
import { lockLead, saveLead } from "../leads/service.ts";
import { nextTryOf, tryOutlook } from "./policy.ts";
import {
  findStatusGiven,
  findTriedLead,
  listTriedLeads,
  lockRetryRules,
  lockStatus,
  readRetryRules,
  retryRulesOf,
  type TriedLead,
  writeRetryRules,
  writeStatus,
} from "./repository.ts";

export interface RetryContext {
  database: Database;
  contactPolicy: ContactPolicyRules;
  jobs: Pick<Jobs, "enqueue">;
}

/** Saves the rules; the audit log has the former ones. Errors: `changed_meanwhile`. */
export async function saveRules(
  { database }: RetryContext,
  { actor, rules, version }: SavedRetryRules & { actor: AuthSession },
): Promise<SavedRetryRules> {
  return database.transaction(async (tx) => {
    const before = await lockRetryRules(tx);
    if (JSON.stringify(before.rules) === JSON.stringify(rules)) return before;
    if (before.version !== version)
      throw new AppError("changed_meanwhile", "Somebody changed the retry rules meanwhile. Read them again.");
    const after = { rules, version: version + 1 };
    await writeRetryRules(tx, after);
    const changes = Object.fromEntries(
      retriedOutcomes
        .filter((outcome) => JSON.stringify(before.rules[outcome]) !== JSON.stringify(rules[outcome]))
        .map((outcome) => [outcome, { before: flat(before.rules[outcome]), after: flat(rules[outcome]) }]),
    );
    await recordAudit(tx, {
      userId: actor.userId,
      action: "organisation-retry-rules",
      data: { changes, version: after.version },
    });
    return after;
  });
}

/** A rule for the audit log: the kind of its end is one value among the others. */
const flat = ({ end: { kind, ...more }, ...rule }: RetryRule) => ({ ...rule, end: kind, ...more });

const batch = 1_000;
type GroupName = RetryPreview["groups"][number]["outcome"];

/**
 * The effect of the given rules on the current leads, compared with the saved rules: every lead that a session may call and that was called
 * before.
 */
export async function previewRules(
  { database: { db }, contactPolicy }: RetryContext,
  { actor, rules }: { actor: AuthSession; rules: RetryRules },
): Promise<RetryPreview> {
  const now = new Date();
  const { rules: inForce } = await readRetryRules(db);
  const groups = new Map<GroupName, { before: RetryCounts; after: RetryCounts }>(
    [...retriedOutcomes, "others" as const].map((name) => [name, { before: nothing(), after: nothing() }]),
  );
  let leads: TriedLead[];
  let afterId = 0;
  do {
    leads = await listTriedLeads(db, { afterId, limit: batch, userId: actor.userId });
    for (const lead of leads) {
      const name = groupOf(lead);
      const group = name && groups.get(name);
      if (!group) continue;
      count(group.before, tryOutlook({ lead, rules: { retry: inForce, contact: contactPolicy }, now }));
      count(group.after, tryOutlook({ lead, rules: { retry: rules, contact: contactPolicy }, now }));
    }
    afterId = leads.at(-1)?.id ?? afterId;
  } while (leads.length === batch);
  return { groups: [...groups].map(([outcome, counts]) => ({ outcome, ...counts })) };
}

/** The group of a lead by its last try; null if no rule applies. */
function groupOf({ tries, numberFault }: TriedLead): GroupName | null {
  if (numberFault !== null) return "others";
  const outcome = tries[0]?.[1];
  return retriedOutcomes.find((each) => each === outcome) ?? null;
}

const nothing = (): RetryCounts => ({
  due: 0,
  promised: 0,
  waiting: 0,
  waitingUntil: null,
  resting: 0,
  restingUntil: null,
  asks: 0,
  never: 0,
});

function count(counts: RetryCounts, next: NextTry): void {
  counts[next.kind] += 1;
  if (next.kind !== "waiting" && next.kind !== "resting") return;
  const until = next.until.toISOString();
  const first = next.kind === "waiting" ? "waitingUntil" : "restingUntil";
  if (counts[first] === null || until < counts[first]) counts[first] = until;
}

/** A lead's next try. Errors: `not_found`. */
export async function getNextTry(
  { database: { db }, contactPolicy }: Pick<RetryContext, "database" | "contactPolicy">,
  { leadId, actor }: { leadId: number; actor: AuthSession },
): Promise<ContractNextTry> {
  const lead = await findTriedLead(db, { leadId, userId: actor.userId });
  if (!lead) throw new AppError("not_found", "This lead does not exist.");
  const rules = { retry: await retryRulesOf(db), contact: contactPolicy };
  const next = tryOutlook({ lead, rules, now: new Date() });
  return {
    kind: next.kind,
    until: "until" in next ? next.until.toISOString() : null,
    timeZone: contactClock({ lead, rules: contactPolicy }).zone.split("&")[0] ?? contactPolicy.orgTimeZone,
    rule: next.rule,
  };
}

const dayMs = 24 * 3_600_000;

/** Restarts the tries of a lead, now or after a pause of 30 days. Errors: `not_found`, `not_your_lead`. */
export async function decideNextTry(
  context: RetryContext,
  { actor, leadId, decision }: { actor: AuthSession; leadId: number; decision: "again" | "rest" },
): Promise<ContractNextTry> {
  await context.database.transaction(async (tx) => {
    const lead = await lockLead(tx, actor, leadId);
    const retryFrom = new Date(Date.now() + (decision === "rest" ? limits.retryRestDays * dayMs : 0));
    const data = { field: "retryFrom", before: lead.retryFrom, after: retryFrom };
    await saveLead(tx, context.jobs, {
      leadId,
      userId: actor.userId,
      changes: { retryFrom },
      events: [{ kind: "changed", data }],
    });
    await publishEvent(tx, {
      topic: "lead",
      id: leadId,
      audience: audienceOf(lead.assignedTo, actor.userId),
    });
  });
  return getNextTry(context, { leadId, actor });
}

interface Answer {
  leadId: number;
  /** The user who set the outcome. */
  userId: number;
  callLogId: number;
  contactPolicy: ContactPolicyRules;
}

/**
 * Applies the retry rules to a user's outcome: if it used up the tries and the rule has a status, the lead gets that status; if a corrected
 * outcome no longer uses them up, the former status is restored, unless somebody has changed it since. Clients stay clients.
 */
export async function applyRetryEnd(tx: Tx, answer: Answer): Promise<void> {
  const { leadId, callLogId, contactPolicy } = answer;
  const status = await lockStatus(tx, leadId);
  const lead = await findTriedLead(tx, answer);
  if (!lead || !status || status === "converted") return;
  const rules = { retry: await retryRulesOf(tx), contact: contactPolicy };
  // A follow-up decides when to call, but does not prevent the tries from being used up.
  const next = nextTryOf({ lead: { ...lead, followUpAt: null, followUpDate: null }, rules, now: new Date() });
  const wanted = next.kind === "asks" && next.end.kind === "status" ? next.end.status : null;
  const given = await findStatusGiven(tx, { leadId, callLogId });
  const isGiven = given !== undefined && !given.isUndone;
  if (wanted && !isGiven) await give(tx, answer, { before: status, after: wanted });
  if (!wanted && isGiven && given.after === status)
    await give(tx, answer, { before: status, after: given.before, isUndone: true });
}

async function give(
  tx: Tx,
  { leadId, userId, callLogId }: Answer,
  change: { before: string; after: string; isUndone?: boolean },
): Promise<void> {
  if (change.before === change.after) return;
  await writeStatus(tx, { leadId, status: change.after });
  const data = { field: "status", ...change, retryOfLog: callLogId };
  await recordLeadEvent(tx, { leadId, userId, kind: "changed", data });
  await queueCrmChange(tx, null, { leadId, userId, field: "status", value: change.after as LeadStatus });
}
