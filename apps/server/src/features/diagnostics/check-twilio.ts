import { eventAttemptsMax } from "../../platform/jobs/event-inbox.ts";
import type { TelephonyProbe } from "../../ports/probe.ts";
import { type Check, type Found, findingOf, once } from "./check.ts";
import { lastEventCheck, queueCheck } from "./check-events.ts";
import { checkReachability } from "./check-reachability.ts";
import { isLocalAddress } from "./public-address.ts";
import { countPacedCalls, readEventFacts, readReportFacts } from "./repository.ts";
import type { DiagnosticsContext } from "./types.ts";

const sources = ["twilio", "twilio-sms", "twilio-inbound", "twilio-recordings"];
/** Where the system number's calls and texts are to be sent (docs/providers/twilio.md). */
const addresses = {
  voiceUrl: "/api/twilio/voice/inbound",
  textUrl: "/api/twilio/sms/inbound",
  statusUrl: "/api/twilio/voice/inbound-status",
} as const;

type NumberSettings = Awaited<ReturnType<TelephonyProbe["probe"]>>;

function numberFound(number: NumberSettings, publicUrl: string): Found {
  if (!number) return { status: "fail", finding: "number_unknown" };
  const wrong = Object.entries(addresses).filter(
    ([setting, path]) => number[setting as keyof typeof addresses] !== publicUrl + path,
  );
  if (wrong.length === 0) return { status: "ok", finding: "number_set" };
  const detail = wrong.map(([, path]) => publicUrl + path).join("\n");
  return { status: "warn", finding: "number_elsewhere", values: { count: wrong.length }, detail };
}

function reportsFound({ count, oldestAt }: Awaited<ReturnType<typeof readReportFacts>>): Found {
  if (count === 0) return { status: "ok", finding: "reports_matched" };
  return { status: "warn", finding: "reports_unmatched", values: { count }, at: oldestAt };
}

/** Twilio: its keys, where the system number's calls and texts go, what comes from it. */
export function twilioChecks(context: DiagnosticsContext): Check[] {
  const { telephony, db, publicUrl } = context;
  if (!telephony)
    return [{ name: "credentials", look: async () => ({ status: "off", finding: "not_configured" }) }];
  const number = once(telephony.probe);
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
      look: () =>
        number().then(
          (found) => numberFound(found, publicUrl),
          () => ({ status: "off", finding: "not_told" }),
        ),
    },
    lastEventCheck(events),
    queueCheck(events),
    { name: "reports", look: () => readReportFacts(db).then(reportsFound) },
  ];
}
