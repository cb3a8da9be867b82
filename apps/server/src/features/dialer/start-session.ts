import { startDialer } from "@portal/contract/dialer-machine";
import {
  type DialerPreview,
  type DialerSkipReason,
  type DialerSource,
  dialerSkipReasons,
} from "@portal/contract/entities/dialer";
import type { RouteRequest } from "@portal/contract/route";
import type { startDialer as contract } from "@portal/contract/routes/dialer";
import { startOfNextDay } from "../../domain/contact-window.ts";
import { type Db, violatedConstraint } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { recordAudit } from "../activity/service.ts";
import { endAbsence } from "../availability/service.ts";
import { holdOpenAccount } from "../identity/users/service.ts";
import { nextTryOf, type Rules } from "../retry-rules/policy.ts";
import { requestedPhone } from "../telephony/outbound/make-call.ts";
import { findLiveCall } from "../telephony/outbound/repository.ts";
import { requireTelephony } from "../telephony/outbound/service.ts";
import { actsOnAnyLead } from "../telephony/policy.ts";
import { listDueToday } from "../today/service.ts";
import { type Candidate, type ListRequest, listCandidates } from "./candidate-repository.ts";
import { findSkipReason } from "./check-candidate.ts";
import { runAfterSteps } from "./dial-lead.ts";
import { insertItems } from "./item-repository.ts";
import { requestLine } from "./line/update-line.ts";
import { presentListed, shownLeads } from "./present.ts";
import { findLiveSession, insertSession, insertStep, rememberStart } from "./session-repository.ts";
import { columnsOf, rulesOf, stepSession } from "./step-session.ts";
import type { DialerContext } from "./types.ts";

export interface ListInput {
  actor: AuthSession;
  source: DialerSource;
  order: ListRequest["order"];
  includeTried: boolean;
}

/** The list as a database query. */
function listRequest(
  { orgTimeZone }: Pick<DialerContext, "orgTimeZone">,
  input: ListInput,
  source: ListRequest["source"],
): ListRequest {
  return {
    userId: input.actor.userId,
    anyLead: actsOnAnyLead(input.actor),
    source,
    order: input.order,
    dayEnd: startOfNextDay(new Date(), orgTimeZone),
  };
}

/** Sort key of a lead's next try: untried leads first, then by instant, leads without a next try last. */
function placeOf(lead: Candidate, rules: Rules, now: Date): number {
  if (lead.tries.length === 0) return Number.NEGATIVE_INFINITY;
  const next = nextTryOf({ lead, rules, now });
  if (next.kind === "due") return next.since?.getTime() ?? Number.NEGATIVE_INFINITY;
  return "until" in next ? next.until.getTime() : Number.POSITIVE_INFINITY;
}

/** The list's leads in its order. The default order is untried leads first, then that of the retry rules. */
async function listInOrder(
  context: DialerContext,
  db: Db,
  { input, rules }: { input: ListInput; rules: Rules },
): Promise<Candidate[]> {
  const { source } = input;
  if (source.kind === "today") {
    const due = await listDueToday(context, db, input.actor.userId);
    const places = new Map(due.map(({ leadId }, place) => [leadId, place]));
    const chosen: ListRequest["source"] = { kind: "selection", leadIds: [...places.keys()] };
    const leads = await listCandidates(db, listRequest(context, input, chosen));
    return leads.sort((a, b) => (places.get(a.leadId) ?? 0) - (places.get(b.leadId) ?? 0));
  }
  const candidates = await listCandidates(db, listRequest(context, input, source));
  if (input.order !== "createdAt") return candidates;
  const now = new Date();
  return candidates
    .map((lead) => ({ lead, place: placeOf(lead, rules, now) }))
    .sort((a, b) => (a.place === b.place ? 0 : a.place - b.place))
    .map(({ lead }) => lead);
}

interface Judged {
  lead: Candidate;
  reason: DialerSkipReason | null;
  allowedAt: Date | null;
}

const shown = ({ lead, allowedAt }: Judged) => presentListed(lead, allowedAt);

function groupOf(reason: DialerSkipReason, judged: Judged[], orgTimeZone: string) {
  const waiting = judged.filter(({ allowedAt }) => allowedAt !== null);
  const first = waiting.reduce<Judged | null>(
    (best, one) => (best?.allowedAt && one.allowedAt && best.allowedAt <= one.allowedAt ? best : one),
    null,
  );
  // An area code may span several zones; the first one is enough for a greeting.
  const timeZone = first && (first.lead.timeZone?.split("&")[0] ?? orgTimeZone);
  return {
    reason,
    count: judged.length,
    allowedAt: first?.allowedAt?.toISOString() ?? null,
    timeZone,
    leads: judged.slice(0, shownLeads).map(shown),
  };
}

/** Previews a start with these leads: the contact policy's current decision for each. */
export async function previewDialer(context: DialerContext, input: ListInput): Promise<DialerPreview> {
  const { orgTimeZone } = context;
  const { db } = context.database;
  const rules = await rulesOf(context, db);
  const candidates = await listInOrder(context, db, { input, rules });
  const now = new Date();
  const { source, includeTried } = input;
  const asked = { wish: { source, includeTried, startedAt: now }, rules, now };
  const judged = candidates.map((lead): Judged => ({ lead, ...findSkipReason(lead, asked) }));
  const free = judged.filter(({ reason }) => reason === null);
  return {
    total: judged.length,
    now: free.length,
    nowLeads: free.slice(0, shownLeads).map(shown),
    groups: dialerSkipReasons.flatMap((reason) => {
      const some = judged.filter((one) => one.reason === reason);
      return some.length > 0 ? [groupOf(reason, some, orgTimeZone)] : [];
    }),
  };
}

/**
 * Starts a session and requests the call to its first lead at once. Returns a live session unchanged, also for two simultaneous requests.
 * Returns the session's id. Errors: `no_leads`, `rep_without_phone`, `provider_off`.
 */
export async function startSession(
  context: DialerContext,
  input: ListInput &
    Pick<RouteRequest<typeof contract>["body"], "delaySeconds" | "lineMode" | "brief" | "leaveMessage">,
): Promise<number> {
  const { actor, source, order, includeTried, delaySeconds } = input;
  const { userId } = actor;
  const telephony = requireTelephony(context.calls);
  const live = await findLiveSession(context.database.db, userId);
  if (live) return live.id;
  try {
    const { sessionId, commands } = await context.database.transaction(async (tx) => {
      await requestedPhone(tx, context.calls, telephony, userId);
      const candidates = await listInOrder(context, tx, { input, rules: await rulesOf(context, tx) });
      const leadIds = candidates.map(({ leadId }) => leadId);
      if (leadIds.length === 0) throw new AppError("no_leads", "No hay leads disponibles para llamar");
      // Locks the user, so that closing the account either finds this session or prevents it.
      const { autoDial } = await holdOpenAccount(tx, userId);
      const chosen = await rememberStart(tx, userId, input);
      const awaitsLine = chosen.lineMode === "open_line";
      const start = startDialer({ total: leadIds.length, delaySeconds, autoDial, awaitsLine });
      const wish = { order, source, includeTried, ...chosen };
      const row = await insertSession(tx, { ...columnsOf(start.state), userId, ...wish });
      const line = awaitsLine ? await requestLine(context, tx, { ...row, autoDial }) : null;
      await insertItems(tx, row.id, leadIds);
      const data = {
        leads: leadIds.length,
        source: source.kind,
        order,
        includeTried,
        delaySeconds,
        ...chosen,
      };
      await insertStep(tx, { sessionId: row.id, position: 0, kind: "start", data });
      await recordAudit(tx, { userId, action: "dialer-start", subject: `dialer:${row.id}`, data });
      await publishEvent(tx, { topic: "dialer", id: row.id, audience: [userId] });
      await endAbsence(tx, userId);
      // With an open line only the consultant's own call delays the start.
      if (line?.stands && !(await findLiveCall(tx, userId)))
        await stepSession(context, tx, line.session, { type: "call_now", position: 0 });
      return { sessionId: row.id, commands: start.commands };
    });
    runAfterSteps(context, sessionId, commands);
    return sessionId;
  } catch (error) {
    if (violatedConstraint(error) !== "dialer_sessions_live_key") throw error;
    const first = await findLiveSession(context.database.db, userId);
    if (!first) throw error;
    return first.id;
  }
}
