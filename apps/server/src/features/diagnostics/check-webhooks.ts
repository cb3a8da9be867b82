import { webhookSourceNames } from "@portal/contract/entities/lead-webhook";
import { eventAttemptsMax } from "../../platform/jobs/event-inbox.ts";
import { type Check, type Found, once } from "./check.ts";
import { lastEventCheck, queueCheck } from "./check-events.ts";
import { checkReachability } from "./check-reachability.ts";
import { readEventFacts } from "./repository.ts";
import type { DiagnosticsContext } from "./types.ts";

const sources = ["lead-webhook"];

async function lookAtKeys({ accessOf }: DiagnosticsContext): Promise<Found> {
  const access = await Promise.all(webhookSourceNames.map(accessOf));
  const values = { count: access.filter((of) => of === "keyed").length, of: access.length };
  if (access.includes("open")) return { status: "warn", finding: "open_to_all", values };
  if (values.count === 0) return { status: "off", finding: "no_keys", values };
  return { status: "ok", finding: "keys_set", values };
}

/** Leads that other systems send: who may, whether they get through, what came. */
export function webhookChecks(context: DiagnosticsContext): Check[] {
  const events = once(() => readEventFacts(context.db, { sources, attemptsMax: eventAttemptsMax }));
  return [
    { name: "credentials", look: () => lookAtKeys(context) },
    {
      name: "reachability",
      look: async () =>
        checkReachability({
          publicUrl: context.publicUrl,
          whenLocal: "warn",
          lastEventAt: (await events()).lastAt,
        }),
    },
    {
      name: "visitors",
      look: async () =>
        context.isProxyUnknown
          ? { status: "warn", finding: "proxy_unknown" }
          : { status: "ok", finding: "told_apart" },
    },
    lastEventCheck(events),
    queueCheck(events),
  ];
}
