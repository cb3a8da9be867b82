import { createHash } from "node:crypto";
import type { TelephonyChange, TelephonyPlan } from "@portal/contract/entities/diagnostics";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import type { NumberSettings, ServiceChanges, ServiceSettings, TelephonyProbe } from "../../ports/probe.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { recordAudit } from "../activity/service.ts";
import { providerRetries } from "../telephony/types.ts";
import type { DiagnosticsContext } from "./check.ts";

/** Addresses for the system number's calls and SMS (docs/providers/twilio.md). */
const paths = {
  voiceUrl: "/api/twilio/voice/inbound",
  smsUrl: "/api/twilio/sms/inbound",
  statusCallback: "/api/twilio/voice/inbound-status",
} as const;

/** Whether an address is ours and is retried if there is no answer (`#rc=…&rp=…`). */
function leadsTo(value: string, address: string): boolean {
  const [asked, fragment = ""] = value.split("#", 2);
  const retries = new URLSearchParams(fragment);
  const reasons = (retries.get("rp") ?? "").split(",");
  const isRetried =
    reasons.includes("all") || ["5xx", "ct", "rt"].every((reason) => reasons.includes(reason));
  return asked === address && Number(retries.get("rc")) >= 1 && isRetried;
}

/** Whether a fallback address works while the portal does not answer: an absolute one that is not the portal's. */
export function isFallback(address: string | null, publicUrl: string): boolean {
  return (
    address !== null &&
    URL.canParse(address) &&
    /^https?:$/.test(new URL(address).protocol) &&
    new URL(address).origin !== new URL(publicUrl).origin
  );
}

type Change = TelephonyChange & { target: "number"; field: keyof NumberSettings };

/** The wrong settings of the number with their wanted values, without its fallback. */
export function numberChanges(number: NumberSettings, publicUrl: string): Change[] {
  const change = (field: Change["field"], after: string): Change => ({
    target: "number",
    field,
    before: number[field],
    after,
  });
  const addresses = (["voiceUrl", "statusCallback", "smsUrl"] as const)
    .filter((field) => !leadsTo(number[field], publicUrl + paths[field]))
    .map((field) => change(field, publicUrl + paths[field] + providerRetries));
  const methods = (["voiceMethod", "statusCallbackMethod", "smsMethod"] as const)
    .filter((field) => number[field] !== "POST")
    .map((field) => change(field, "POST"));
  const others = (["voiceApplicationSid", "smsApplicationSid", "trunkSid"] as const)
    .filter((field) => number[field] !== "")
    .map((field) => change(field, ""));
  return [...addresses, ...methods, ...others];
}

const textFields: ReadonlySet<keyof NumberSettings> = new Set(["smsUrl", "smsMethod", "smsApplicationSid"]);

/** The wrong settings of another number as far as calls are concerned; its SMS follow the Messaging Service. */
export function voiceChanges(number: NumberSettings, publicUrl: string): Change[] {
  return numberChanges(number, publicUrl).filter(({ field }) => !textFields.has(field));
}

/** The wrong fallback settings of the number. With `configured` null any foreign address is accepted, and nothing can be set from here. */
export function fallbackChanges(number: NumberSettings, configured: string | null): Change[] {
  if (configured === null) return [];
  const wanted = { voiceFallbackUrl: configured, voiceFallbackMethod: "POST" } as const;
  return (["voiceFallbackUrl", "voiceFallbackMethod"] as const)
    .filter((field) => number[field] !== wanted[field])
    .map((field) => ({ target: "number", field, before: number[field], after: wanted[field] }));
}

/** The wrong settings of a Messaging Service. Its own address takes precedence over its numbers', unless it defers to them. */
export function serviceChanges(service: ServiceSettings, publicUrl: string): TelephonyChange[] {
  // The system number is checked with the number itself; the addresses of other senders are unknown here.
  if (service.useInboundWebhookOnNumber && service.otherSenders === 0) return [];
  const address = publicUrl + paths.smsUrl;
  const wanted = {
    inboundRequestUrl: leadsTo(service.inboundRequestUrl, address)
      ? service.inboundRequestUrl
      : address + providerRetries,
    inboundMethod: "POST",
    useInboundWebhookOnNumber: false,
  };
  return (["inboundRequestUrl", "inboundMethod", "useInboundWebhookOnNumber"] as const)
    .filter((field) => service[field] !== wanted[field])
    .map((field) => ({
      target: "service",
      field,
      before: String(service[field]),
      after: String(wanted[field]),
    }));
}

/** All changes that would be made at the provider, for what is configured here. Errors: `ProviderError`. */
async function plannedChanges(probe: TelephonyProbe, publicUrl: string): Promise<TelephonyChange[]> {
  const [number, service] = await Promise.all([probe.readNumber(), probe.readService()]);
  return [
    ...(number ? numberChanges(number, publicUrl) : []),
    ...(number ? fallbackChanges(number, probe.numberFallbackUrl) : []),
    ...(service ? serviceChanges(service, publicUrl) : []),
  ];
}

/** The changes of the number, as the provider accepts them. */
function numberPatch(changes: readonly TelephonyChange[]): Partial<NumberSettings> {
  const own = changes.filter(({ target }) => target === "number");
  return Object.fromEntries(own.map(({ field, after }) => [field, after]));
}

function servicePatch(changes: readonly TelephonyChange[]): ServiceChanges {
  const own = changes.filter(({ target }) => target === "service");
  return Object.fromEntries(
    own.map(({ field, after }) => [field, field === "useInboundWebhookOnNumber" ? after === "true" : after]),
  );
}

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
