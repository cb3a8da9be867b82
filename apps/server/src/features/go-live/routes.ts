import * as contract from "@portal/contract/routes/go-live";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../platform/http/bind-route.ts";
import { readBackupState } from "../backups/service.ts";
import { type GoLiveContext, presentTestCall, startTestCall } from "./make-test-call.ts";
import { findLastTestCall, findOwnPhone } from "./repository.ts";
import { listCountries, listSteps, setStep } from "./service.ts";

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
