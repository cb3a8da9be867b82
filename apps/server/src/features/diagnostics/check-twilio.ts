import type { TelephonyChange } from "@portal/contract/entities/diagnostics";
import { eventAttemptsMax } from "../../platform/jobs/event-inbox.ts";
import type { NumberSettings, PoolNumber, ServiceSettings, TelephonyProbe } from "../../ports/probe.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { findCallAlarm } from "../telephony/outbound/record-alarms.ts";
import {
  type Check,
  checkReachability,
  type DiagnosticsContext,
  type Found,
  findingOf,
  isLocalAddress,
  lastEventCheck,
  once,
  queueCheck,
} from "./check.ts";
import { fallbackChanges, isFallback, numberChanges, serviceChanges, voiceChanges } from "./fix-telephony.ts";
import { countPacedCalls, readEventFacts, readReportFacts } from "./repository.ts";

/** The first address that an outbound call requests, also when it falls back (docs/operations.md). */
const answeredPath = "/api/twilio/voice/answered";
/** With a shorter pause five tries would end before a restart does. */
const pauseSecondsMin = 5;
const triesMax = 5;

type Context = Pick<DiagnosticsContext, "publicUrl" | "officeLine">;

function unread(error: unknown): Found {
  return { status: "warn", finding: "fallback_unread", detail: (error as Error).message };
}

/** Reads the fallback of the system number, which should connect callers to the office line while the portal does not answer. */
async function readNumberFallback(
  probe: TelephonyProbe,
  address: string,
  { publicUrl, officeLine }: Context,
): Promise<Found> {
  const params = { ErrorUrl: `${publicUrl}/api/twilio/voice/inbound`, ErrorCode: "11200" };
  const { rings } = await probe.askFallback(address, params);
  const isReached = rings.some(
    (number) => number === null || (officeLine === null ? number !== probe.number : number === officeLine),
  );
  return isReached
    ? { status: "ok", finding: "number_fallback_set" }
    : { status: "warn", finding: "number_fallback_unfit" };
}

/** Checks that the number's fallback is set and works. `elsewhere` builds the finding for wrong settings. */
async function checkNumberFallback(
  number: NumberSettings | null,
  probe: TelephonyProbe,
  context: Context & { elsewhere: (changes: ReturnType<typeof fallbackChanges>) => Found },
): Promise<Found> {
  if (!number) return { status: "off", finding: "not_reported" };
  const changes = fallbackChanges(number, probe.numberFallbackUrl);
  if (changes.length > 0) return context.elsewhere(changes);
  const address = number.voiceFallbackUrl;
  if (!isFallback(address, context.publicUrl))
    return { status: "warn", finding: "number_fallback_missing", detail: address || null };
  return readNumberFallback(probe, address, context).catch(unread);
}

/** Checks that outbound calls have a fallback that waits, requests the same call again, and ends after the last try. */
async function checkCallFallback(probe: TelephonyProbe, { publicUrl }: Context): Promise<Found> {
  const address = probe.callFallbackUrl;
  if (address === null || !isFallback(address, publicUrl))
    return { status: "warn", finding: "call_fallback_missing", detail: address };
  const own = `${publicUrl}${answeredPath}`;
  const ask = (failed: string) =>
    probe.askFallback(address, { call: "0", ErrorUrl: `${own}?call=0${failed}`, ErrorCode: "11200" });
  try {
    const [first, last] = await Promise.all([ask(""), ask(`&try=${triesMax}`)]);
    const next = URL.parse(first.goesTo ?? "");
    const asksAgain = next && next.origin + next.pathname === own && next.searchParams.get("call") === "0";
    if (!asksAgain || first.pauseSeconds < pauseSecondsMin)
      return { status: "warn", finding: "call_fallback_unfit" };
    if (last.goesTo !== null) return { status: "warn", finding: "call_fallback_endless" };
    return { status: "ok", finding: "call_fallback_set" };
  } catch (error) {
    return unread(error);
  }
}

const sources = ["twilio", "twilio-sms", "twilio-inbound", "twilio-recordings"];
type Probe = TelephonyProbe;

/** A finding for wrong settings: their number, and the wanted value of each. */
function elsewhere(
  finding: "number_elsewhere" | "number_fallback_missing" | "service_elsewhere",
  changes: readonly TelephonyChange[],
): Found {
  const detail = changes.map(({ field, before, after }) => `${field}: ${before || "–"} → ${after || "–"}`);
  const values = { count: changes.length, fixable: changes.length };
  return { status: "warn", finding, values, detail: detail.join("\n") };
}

function numberFound(number: NumberSettings | null, publicUrl: string): Found {
  if (!number) return { status: "fail", finding: "number_unknown" };
  const changes = numberChanges(number, publicUrl);
  return changes.length === 0
    ? { status: "ok", finding: "number_set" }
    : elsewhere("number_elsewhere", changes);
}

function serviceFound(service: ServiceSettings | null, publicUrl: string): Found {
  if (!service) return { status: "off", finding: "not_reported" };
  if (service.senders === 0) return { status: "fail", finding: "service_empty" };
  const changes = serviceChanges(service, publicUrl);
  if (changes.length > 0) return elsewhere("service_elsewhere", changes);
  return { status: "ok", finding: "service_set", values: { senders: service.senders } };
}

/** A finding about the pool's numbers: leads call back the number that wrote to them. */
function poolFound(pool: PoolNumber[], publicUrl: string): Found {
  const wrong = pool.flatMap(({ sid, settings }) => {
    const changes = voiceChanges(settings, publicUrl);
    return changes.length === 0 ? [] : [{ sid, changes }];
  });
  if (wrong.length === 0) return { status: "ok", finding: "pool_set", values: { count: pool.length } };
  const lines = wrong.flatMap(({ sid, changes }) =>
    changes.map(({ field, before, after }) => `${sid} ${field}: ${before || "–"} → ${after || "–"}`),
  );
  const values = { count: wrong.length, of: pool.length };
  return { status: "warn", finding: "pool_elsewhere", values, detail: lines.join("\n") };
}

/** Checks the voice settings of the pool's other numbers. If they cannot be read, the check of the Messaging Service reports it. */
function poolCheck(telephony: Probe, publicUrl: string): Check {
  const notReported = (): Found => ({ status: "off", finding: "not_reported" });
  return {
    name: "poolNumbers",
    look: () => telephony.readPool().then((pool) => poolFound(pool, publicUrl), notReported),
  };
}

function reportsFound({ count, oldestAt }: Awaited<ReturnType<typeof readReportFacts>>): Found {
  if (count === 0) return { status: "ok", finding: "reports_matched" };
  return { status: "warn", finding: "reports_unmatched", values: { count }, at: oldestAt };
}

function callsFound(raisedAt: Date | null): Found {
  return raisedAt
    ? { status: "fail", finding: "calls_not_connected", at: raisedAt }
    : { status: "ok", finding: "calls_connect" };
}

/** Checks the Messaging Service that sends SMS. */
function serviceCheck(telephony: Probe, publicUrl: string): Check {
  return {
    name: "messagingService",
    look: () =>
      telephony.readService().then(
        (service) => serviceFound(service, publicUrl),
        (error) =>
          error instanceof ProviderError && error.kind === "not-found"
            ? { status: "fail", finding: "service_unknown" }
            : // It is configured, so its unknown state is a warning.
              { status: "warn", finding: "not_reported" },
      ),
  };
}

/** Checks of Twilio: credentials, addresses of the system number, and its events. */
export function twilioChecks(context: DiagnosticsContext): Check[] {
  const { telephony, db, publicUrl } = context;
  if (!telephony)
    return [{ name: "credentials", look: async () => ({ status: "off", finding: "not_configured" }) }];
  const number = once(telephony.readNumber);
  const notReported = (): Found => ({ status: "off", finding: "not_reported" });
  const events = once(() => readEventFacts(db, { sources, attemptsMax: eventAttemptsMax }));
  return [
    {
      name: "credentials",
      look: () => number().then(() => ({ status: "ok", finding: "accepted" }), findingOf),
    },
    {
      name: "rateLimit",
      look: async () => ({
        status: "ok",
        finding: "paced",
        values: { perSecond: telephony.callsPerSecond, waiting: await countPacedCalls(db) },
      }),
    },
    {
      name: "reachability",
      look: async () =>
        checkReachability({
          publicUrl,
          whenLocal: isLocalAddress(telephony.baseUrl) ? "ok" : "fail",
          lastEventAt: (await events()).lastAt,
        }),
    },
    {
      name: "numberWebhooks",
      look: () => number().then((found) => numberFound(found, publicUrl), notReported),
    },
    {
      name: "numberFallback",
      look: () =>
        number().then(
          (found) =>
            checkNumberFallback(found, telephony, {
              ...context,
              elsewhere: (changes) => elsewhere("number_fallback_missing", changes),
            }),
          notReported,
        ),
    },
    { name: "callFallback", look: () => checkCallFallback(telephony, context) },
    { name: "calls", look: () => findCallAlarm(db).then(callsFound) },
    ...(telephony.usesService ? [serviceCheck(telephony, publicUrl), poolCheck(telephony, publicUrl)] : []),
    lastEventCheck(events),
    queueCheck(events),
    { name: "reports", look: () => readReportFacts(db).then(reportsFound) },
  ];
}
