import type { TelephonyChange } from "@portal/contract/entities/diagnostics";
import type { NumberSettings, ServiceChanges, ServiceSettings, TelephonyProbe } from "../../ports/probe.ts";
import { providerRetries } from "../telephony/types.ts";

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
export async function plannedChanges(probe: TelephonyProbe, publicUrl: string): Promise<TelephonyChange[]> {
  const [number, service] = await Promise.all([probe.readNumber(), probe.readService()]);
  return [
    ...(number ? numberChanges(number, publicUrl) : []),
    ...(number ? fallbackChanges(number, probe.numberFallbackUrl) : []),
    ...(service ? serviceChanges(service, publicUrl) : []),
  ];
}

/** The changes of the number, as the provider accepts them. */
export function numberPatch(changes: readonly TelephonyChange[]): Partial<NumberSettings> {
  const own = changes.filter(({ target }) => target === "number");
  return Object.fromEntries(own.map(({ field, after }) => [field, after]));
}

export function servicePatch(changes: readonly TelephonyChange[]): ServiceChanges {
  const own = changes.filter(({ target }) => target === "service");
  return Object.fromEntries(
    own.map(({ field, after }) => [field, field === "useInboundWebhookOnNumber" ? after === "true" : after]),
  );
}
