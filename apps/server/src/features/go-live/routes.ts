import * as contract from "@portal/contract/routes/go-live";
import {
  type GoLiveStep,
  type GoLiveStepState,
  goLiveStepDays,
  goLiveSteps,
} from "@portal/contract/routes/go-live";
import type { FastifyInstance } from "fastify";
import { phoneKind } from "../../domain/phone.ts";
import type { Database, Db } from "../../platform/db/client.ts";
import { bindRoute } from "../../platform/http/bind-route.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { recordAudit } from "../activity/service.ts";
import { readBackupState } from "../backups/service.ts";
import { type GoLiveContext, presentTestCall, startTestCall } from "./make-test-call.ts";
import {
  deleteMark,
  findLastTestCall,
  findOwnPhone,
  listMarks,
  listNumberRanges,
  saveMark,
} from "./repository.ts";

const validMs = goLiveStepDays * 86_400_000;

/** Every step, with the user who last marked it as done; marks older than 90 days have to be renewed. */
async function listSteps(db: Db): Promise<GoLiveStepState[]> {
  const marks = new Map((await listMarks(db)).map((mark) => [mark.step, mark]));
  return goLiveSteps.map((step) => {
    const mark = marks.get(step);
    return {
      step,
      done: mark ? { at: mark.markedAt.toISOString(), by: mark.by } : null,
      isOpen: !mark || Date.now() - mark.markedAt.getTime() > validMs,
    };
  });
}

/** Marks a step as done, or removes the mark; recorded in the audit log. Returns the new state of the step. */
async function setStep(
  { transaction }: Pick<Database, "transaction">,
  { userId, step, isDone }: { userId: number; step: GoLiveStep; isDone: boolean },
): Promise<GoLiveStepState> {
  return transaction(async (tx) => {
    const changed = isDone
      ? await saveMark(tx, { step, userId }).then(() => true)
      : await deleteMark(tx, step);
    if (changed) {
      const action = isDone ? "go-live-marked" : "go-live-unmarked";
      await recordAudit(tx, { userId, action, subject: `go-live:${step}`, data: {} });
      await publishEvent(tx, { topic: "go-live", id: 0, audience: [] });
    }
    const steps = await listSteps(tx);
    return steps.find((each) => each.step === step) ?? { step, done: null, isOpen: true };
  });
}

/** The countries of leads' numbers with the number of leads, most frequent first. */
async function listCountries(db: Db): Promise<{ country: string; leads: number }[]> {
  const counts = new Map<string, number>();
  for (const { sample, count } of await listNumberRanges(db)) {
    const { country } = phoneKind(sample);
    if (country) counts.set(country, (counts.get(country) ?? 0) + count);
  }
  return [...counts].map(([country, leads]) => ({ country, leads })).sort((a, b) => b.leads - a.leads);
}

/** The routes of the administrators' checklist before the team starts; the live checks come from the diagnostics. */
export function registerGoLiveRoutes(
  app: FastifyInstance,
  context: GoLiveContext,
  backupEveryHours: number | null,
): void {
  const { database, telephony } = context;
  const { db } = database;

  bindRoute(app, contract.getGoLive, async ({ actor }) => {
    const last = await findLastTestCall(db);
    const phone = await findOwnPhone(db, actor.userId);
    return {
      steps: await listSteps(db),
      testCall: last ? presentTestCall(last, context.publicUrl) : null,
      ownPhone: phone?.e164 ? phone.typed : null,
      canCall: telephony !== null,
      countries: await listCountries(db),
      backup: await readBackupState(db, backupEveryHours),
    };
  });
  bindRoute(app, contract.markGoLiveStep, ({ actor, params }) =>
    setStep(database, { userId: actor.userId, step: params.step, isDone: true }),
  );
  bindRoute(app, contract.unmarkGoLiveStep, ({ actor, params }) =>
    setStep(database, { userId: actor.userId, step: params.step, isDone: false }),
  );
  bindRoute(app, contract.startTestCall, ({ actor }) => startTestCall(context, actor.userId));
}
