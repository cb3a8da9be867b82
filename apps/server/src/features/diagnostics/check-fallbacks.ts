import type { NumberSettings, TelephonyProbe } from "../../ports/probe.ts";
import type { Found } from "./check.ts";
import { fallbackChanges, isFallback } from "./telephony-settings.ts";
import type { DiagnosticsContext } from "./types.ts";

/** What calls that we start ask first, and ask again (docs/operations.md). */
const answeredPath = "/api/twilio/voice/answered";
/** Less is no waiting: five tries would be over before a restart is. */
const pauseSecondsMin = 5;
const triesMax = 5;

type Context = Pick<DiagnosticsContext, "publicUrl" | "officeLine">;

function unread(error: unknown): Found {
  return { status: "warn", finding: "fallback_unread", detail: (error as Error).message };
}

/** What callers reach while the portal does not answer: they are to reach the office line. */
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

/** Whether what the number falls back to is set, and does what it is for. `changes`: how the finding is told where settings are wrong. */
export async function checkNumberFallback(
  number: NumberSettings | null,
  probe: TelephonyProbe,
  context: Context & { elsewhere: (changes: ReturnType<typeof fallbackChanges>) => Found },
): Promise<Found> {
  if (!number) return { status: "off", finding: "not_told" };
  const changes = fallbackChanges(number, probe.numberFallbackUrl);
  if (changes.length > 0) return context.elsewhere(changes);
  const address = number.voiceFallbackUrl;
  if (!isFallback(address, context.publicUrl))
    return { status: "warn", finding: "number_fallback_missing", detail: address || null };
  return readNumberFallback(probe, address, context).catch(unread);
}

/** Whether our calls have something to fall back to that waits and asks for the same call again, and ends after the last time. */
export async function checkCallFallback(probe: TelephonyProbe, { publicUrl }: Context): Promise<Found> {
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
