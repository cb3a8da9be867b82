import { createHash } from "node:crypto";
import type { TelephonyChange, TelephonyPlan } from "@portal/contract/entities/diagnostics";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import type { TelephonyProbe } from "../../ports/probe.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { recordAudit } from "../activity/record-audit.ts";
import { numberPatch, plannedChanges, servicePatch } from "./decide-changes.ts";
import type { DiagnosticsContext } from "./types.ts";

type FixContext = Pick<DiagnosticsContext, "database" | "telephony" | "publicUrl" | "log">;

function requireTelephony({ telephony }: FixContext): TelephonyProbe {
  if (telephony) return telephony;
  throw new AppError("provider_off", "No telephony provider is configured.");
}

/** Turns a provider's failure into an API error; the provider's message is only logged. */
async function asking<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const passing = error.kind === "unavailable" || error.kind === "rate-limited";
    if (passing)
      throw new AppError(
        "provider_unavailable",
        "Twilio does not answer. Look again in a moment: some of it may be set.",
      );
    throw new AppError(
      "provider_refused",
      "Twilio refused. Look at the keys and at the settings in its console.",
    );
  }
}

function planOf(changes: TelephonyChange[]): TelephonyPlan {
  const seen = createHash("sha256").update(JSON.stringify(changes)).digest("hex");
  return { changes, seen };
}

/** The changes that Fix would make at the provider. Errors: `provider_off`, `provider_refused`, `provider_unavailable`. */
export function planFix(context: FixContext): Promise<TelephonyPlan> {
  const probe = requireTelephony(context);
  return asking(async () => planOf(await plannedChanges(probe, context.publicUrl)));
}

/** Which of these changes are in effect at the provider now. Errors: `ProviderError`. */
async function readStanding(
  probe: TelephonyProbe,
  target: TelephonyChange["target"],
  changes: TelephonyChange[],
): Promise<TelephonyChange[]> {
  const settings = target === "number" ? await probe.readNumber() : await probe.readService();
  const now: Record<string, unknown> = { ...settings };
  return changes.filter(({ field, after }) => String(now[field]) === after);
}

function recordBeginning({ database }: FixContext, { userId }: AuthSession, planned: TelephonyChange[]) {
  const changes = Object.fromEntries(
    planned.map(({ target, field, before, after }) => [`${target}.${field}`, { before, after }]),
  );
  return database.transaction((tx) =>
    recordAudit(tx, { userId, action: "telephony-fix-begun", data: { changes } }),
  );
}

/**
 * Applies the changes that the user saw, to the configured number and Messaging Service only. Before Twilio is asked, an audit entry lists
 * all of them, which remains if the process dies; afterwards each applied setting has its own entry. If Twilio's answer is lost the
 * settings are read again, and if that fails too each is recorded as not confirmed. Errors: `conflict` if the required changes are
 * different now; those of `planFix`.
 */
export async function applyFix(
  context: FixContext,
  { actor, seen }: { actor: AuthSession; seen: string },
): Promise<{ changed: number }> {
  const probe = requireTelephony(context);
  const plan = await planFix(context);
  if (plan.seen !== seen)
    throw new AppError("conflict", "The settings have changed meanwhile. Look at what would be changed now.");
  const record = (changes: TelephonyChange[], facts: { confirmed?: false } = {}) =>
    context.database.transaction(async (tx) => {
      for (const { target, field, before, after } of changes)
        await recordAudit(tx, {
          userId: actor.userId,
          action: "telephony-setting-changed",
          data: { field: `${target}.${field}`, before, after, ...facts },
        });
    });
  if (plan.changes.length > 0) await recordBeginning(context, actor, plan.changes);
  const change = async (target: TelephonyChange["target"], set: () => Promise<void>) => {
    const own = plan.changes.filter((one) => one.target === target);
    if (own.length === 0) return;
    try {
      await set();
      await record(own);
    } catch (error) {
      if (!(error instanceof ProviderError) || !error.ambiguous) throw error;
      const standing = await readStanding(probe, target, own).catch(() => null);
      await (standing ? record(standing) : record(own, { confirmed: false }));
      if (standing?.length !== own.length) throw error;
    }
  };
  await asking(() => change("number", () => probe.changeNumber(numberPatch(plan.changes))));
  await asking(() => change("service", () => probe.changeService(servicePatch(plan.changes))));
  context.log.info({ count: plan.changes.length, userId: actor.userId }, "telephony settings set right");
  return { changed: plan.changes.length };
}
