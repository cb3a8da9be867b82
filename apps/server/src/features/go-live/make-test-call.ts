import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { goLiveStepDays, type TestCall } from "@portal/contract/routes/go-live";
import { lockPerson } from "../../platform/db/advisory-locks.ts";
import type { Tx } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { Scheduler } from "../../platform/jobs/jobs.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { type LegStatus, legStatuses, type Telephony } from "../../ports/telephony.ts";
import { recordAudit } from "../activity/service.ts";
import { type CallsContext, providerRetries } from "../telephony/types.ts";
import {
  findLiveTestCall,
  findOwnPhone,
  findTestCall,
  insertTestCall,
  isOnCall,
  listSilentTestCalls,
  lockTestCall,
  type TestCallRow,
  updateTestCall,
} from "./repository.ts";

const ends: readonly (LegStatus | null)[] = ["canceled", "no-answer", "busy", "failed", "completed"];
const hashOf = (key: string) => createHash("sha256").update(key).digest("hex");

function stateOf({ leg, reachedAt, answeredAt, endedAt, failure }: TestCallRow): TestCall["state"] {
  // The answer to our own request proves nothing about callbacks reaching the portal.
  if (!endedAt) return answeredAt ? "answered" : reachedAt && leg === "ringing" ? "ringing" : "calling";
  if (reachedAt) return answeredAt ? "passed" : "unanswered";
  return failure ? "refused" : "not_reached";
}

const validMs = goLiveStepDays * 86_400_000;

/** A test call for the API; its result is valid for 90 days and only for the address that it was made with. */
export function presentTestCall(
  { call, by }: { call: TestCallRow; by: string },
  publicUrl: string,
): TestCall {
  const state = stateOf(call);
  const isStale = call.publicUrl !== publicUrl || Date.now() - call.askedAt.getTime() > validMs;
  return {
    id: call.id,
    state,
    isLive: call.endedAt === null,
    askedAt: call.askedAt.toISOString(),
    askedBy: by,
    reachedAt: call.reachedAt?.toISOString() ?? null,
    failure: call.failure && { kind: call.failure, code: call.failureCode },
    isOpen: state !== "passed" || isStale,
  };
}

/** New information about a test call. */
interface Report {
  callSid?: string;
  leg?: LegStatus | null;
  /** The provider called the portal with the call's key. */
  isReached?: boolean;
  /** The provider asked what to say after the call was answered. */
  isAnswered?: boolean;
  /** Why the call was not made. */
  failure?: NonNullable<TestCall["failure"]>;
  /** No more information is expected. */
  isOver?: boolean;
}

const rank = (leg: LegStatus | null | undefined) => (leg ? legStatuses.indexOf(leg) : -1);

/** Adds new information to a locked row; ignores information with another call's id. */
async function add(tx: Tx, row: TestCallRow, report: Report): Promise<void> {
  if (row.callSid && report.callSid && row.callSid !== report.callSid) return;
  const now = new Date();
  const known = row.leg as LegStatus | null;
  const leg = rank(report.leg) > rank(known) ? (report.leg ?? null) : known;
  const isOver = ends.includes(leg) || report.failure !== undefined || report.isOver;
  await updateTestCall(tx, row.id, {
    callSid: row.callSid ?? report.callSid ?? null,
    leg,
    reachedAt: row.reachedAt ?? (report.isReached ? now : null),
    answeredAt: row.answeredAt ?? (report.isAnswered ? now : null),
    endedAt: row.endedAt ?? (isOver ? now : null),
    failure: row.failure ?? report.failure?.kind ?? null,
    failureCode: row.failureCode ?? report.failure?.code ?? null,
  });
  await publishEvent(tx, { topic: "go-live", id: row.id, audience: [] });
}

/** Adds new information about a test call, by its id. */
async function updateFacts({ database }: GoLiveContext, id: number, report: Report): Promise<void> {
  await database.transaction(async (tx) => {
    const row = await lockTestCall(tx, id);
    if (row) await add(tx, row, report);
  });
}

/** Handles a callback with the key of a test call; null if the key belongs to another call, or was already used by one. */
export async function receive(
  { database }: GoLiveContext,
  { id, key, callSid, ...report }: Report & { id: number; key: string; callSid: string },
): Promise<TestCallRow | null> {
  return database.transaction(async (tx) => {
    const row = await lockTestCall(tx, id);
    if (!row || !timingSafeEqual(Buffer.from(row.keyHash), Buffer.from(hashOf(key)))) return null;
    if (row.callSid !== null && row.callSid !== callSid) return null;
    await add(tx, row, { ...report, callSid, isReached: true });
    return row;
  });
}

/** Inserts the call, once: if the same user has a running one, returns that. The provider has not been asked yet. */
async function request({ database, publicUrl }: GoLiveContext, telephony: Telephony, userId: number) {
  const key = randomBytes(24).toString("base64url");
  return database.transaction(async (tx) => {
    await lockPerson(tx, userId);
    const live = await findLiveTestCall(tx, userId);
    if (live) return { id: live.id, key: null, phone: "" };
    if (await isOnCall(tx, userId))
      throw new AppError("rep_on_call", "You are on a call. Try again when it is over.");
    const phone = (await findOwnPhone(tx, userId))?.e164;
    if (!phone || phone === telephony.callerId)
      throw new AppError("rep_without_phone", "Add your own phone number in Settings first.");
    const { id } = await insertTestCall(tx, { userId, keyHash: hashOf(key), publicUrl });
    await recordAudit(tx, { userId, action: "test-call", subject: `test-call:${id}`, data: {} });
    await publishEvent(tx, { topic: "go-live", id, audience: [] });
    return { id, key, phone };
  });
}

/** Calls the user's own phone. Errors: see the contract's `startTestCall`. */
export async function startTestCall(context: GoLiveContext, userId: number): Promise<TestCall> {
  const { telephony, publicUrl, log } = context;
  if (!telephony) throw new AppError("provider_off", "Calls are off: no telephony provider is configured.");
  const { id, key, phone } = await request(context, telephony, userId);
  if (key) {
    const url = (path: string) =>
      `${publicUrl}/api/twilio/voice/${path}?test=${id}&key=${key}${providerRetries}`;
    try {
      const urls = { answered: url("test-call"), repStatus: url("test-call-status") };
      const leg = await telephony.placeCall({ to: phone, urls });
      await updateFacts(context, id, { callSid: leg.sid, leg: leg.status });
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      const { kind, providerCode, ambiguous } = error;
      log.warn({ testCallId: id, kind, providerCode, ambiguous }, "test call not placed");
      // The call may ring all the same: the callback with its key decides, and the call is never requested again.
      if (!ambiguous) await updateFacts(context, id, { failure: { kind, code: providerCode } });
    }
  }
  const found = await findTestCall(context.database.db, id);
  if (!found) throw new AppError("not_found", "This test call does not exist.");
  return presentTestCall(found, publicUrl);
}

/** What the checklist and its test call need. */
export type GoLiveContext = Pick<CallsContext, "database" | "log" | "telephony" | "publicUrl">;

/**
 * After which time the provider is asked about a test call without events, and after which no more events are expected, in milliseconds.
 */
export interface TestCallTimings {
  silenceMs: number;
  giveUpMs: number;
}

const usual: TestCallTimings = { silenceMs: 20_000, giveUpMs: 180_000 };
const intervalMs = 5_000;

async function ask(
  context: GoLiveContext,
  telephony: Telephony,
  { call: { id, callSid, askedAt }, giveUpMs }: { call: TestCallRow; giveUpMs: number },
): Promise<void> {
  try {
    const leg = callSid && (await telephony.findLeg(callSid));
    // The call ended without any callback from the provider: callbacks do not reach the portal.
    if (leg) await updateFacts(context, id, { leg: leg.status });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn({ testCallId: id, kind: error.kind }, "a test call could not be asked about");
  }
  if (Date.now() - askedAt.getTime() > giveUpMs) await updateFacts(context, id, { isOver: true });
}

/** Asks the provider about test calls without callbacks: the route that is tested may be the one that is broken. */
export async function checkTestCalls(context: GoLiveContext, { silenceMs, giveUpMs } = usual): Promise<void> {
  const { telephony, database } = context;
  if (!telephony) return;
  const calls = await listSilentTestCalls(database.db, new Date(Date.now() - silenceMs));
  for (const call of calls) await ask(context, telephony, { call, giveUpMs });
}

/** Schedules the check in this process. */
export function startGoLiveJobs(context: GoLiveContext, scheduler: Scheduler): void {
  if (context.telephony) scheduler.every(intervalMs, () => checkTestCalls(context));
}
