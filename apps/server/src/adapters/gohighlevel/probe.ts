import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { CrmPace } from "../../ports/crm.ts";
import type { CrmProbe, LimitLeft } from "../../ports/probe.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { createClient, type GoHighLevelOptions } from "./client.ts";
import { fault } from "./errors.ts";

const timeoutMs = 6_000;
/** Who looks does not stand in line behind a sync for longer. */
const longestWaitMs = 3_000;

function headerCount(headers: Record<string, unknown>, name: string): number | null {
  const text = headers[name];
  const count = typeof text === "string" && text.trim() !== "" ? Number(text) : Number.NaN;
  return Number.isFinite(count) ? count : null;
}

function limitOf(headers: Record<string, unknown>, left: string, of: string): LimitLeft {
  return { left: headerCount(headers, left), of: headerCount(headers, of) };
}

/** A turn within a moment, or none: then the limit is the answer. */
function impatient(pace: CrmPace): CrmPace {
  return {
    hold: pace.hold,
    turn: () => Promise.race([pace.turn(), sleep(longestWaitMs, longestWaitMs / 1000)]),
  };
}

/** A page of a proxy, say. */
function anotherAnswered(): ProviderError {
  return new ProviderError({
    provider: "gohighlevel",
    kind: "invalid",
    message: "The answer is not GoHighLevel's.",
  });
}

/**
 * One request, never repeated, for its headers alone. The users are asked for because every installation may read them.
 * Limits: https://marketplace.gohighlevel.com/docs/oauth/Faqs (rate limits)
 */
export function createGoHighLevelProbe(options: GoHighLevelOptions): CrmProbe {
  // A client of its own: what other requests met must not stand in its way.
  const { open } = createClient({ ...options, timeoutMs, pace: impatient(options.pace) });
  return {
    baseUrl: options.baseUrl,
    async probe() {
      const answer = await open(
        (sdk, request, locationId) => sdk.users.getUserByLocation({ locationId }, request),
        {
          signal: new AbortController().signal,
        },
      );
      if (answer.data instanceof Readable) answer.data.destroy();
      const refusal = fault({ ...answer, data: "" });
      if (refusal) throw refusal;
      if (!String(answer.headers["content-type"]).includes("json")) throw anotherAnswered();
      return {
        burst: limitOf(answer.headers, "x-ratelimit-remaining", "x-ratelimit-max"),
        daily: limitOf(answer.headers, "x-ratelimit-daily-remaining", "x-ratelimit-limit-daily"),
      };
    },
  };
}
