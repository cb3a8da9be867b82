import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { CrmPace } from "../../ports/crm.ts";
import type { CrmProbe, LimitLeft } from "../../ports/probe.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { createClient, type GoHighLevelOptions, type Send } from "./client.ts";
import { type Answer, fault } from "./errors.ts";
import { findMissingScopes } from "./scopes.ts";
import { createUsersWay } from "./users.ts";

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
 * Asks for one user, never again, for the answer's headers alone: every installation may read users. The first look asks for the location too.
 * Limits: https://marketplace.gohighlevel.com/docs/oauth/Faqs (rate limits)
 */
export function createGoHighLevelProbe(options: GoHighLevelOptions): CrmProbe {
  // A client of its own: what other requests met must not stand in its way.
  const client = createClient({ ...options, timeoutMs, pace: impatient(options.pace) });
  const askForUsers = createUsersWay(client);

  async function open(send: Send, version?: string): Promise<Answer> {
    const { signal } = new AbortController();
    const answer = await client.open(send, { signal, ...(version && { version }) });
    if (answer.data instanceof Readable) answer.data.destroy();
    const refusal = fault(answer);
    if (refusal) throw refusal;
    return answer;
  }

  return {
    baseUrl: options.baseUrl,
    missingScopes: () => findMissingScopes(open),
    async probe() {
      const answer = await askForUsers(
        {
          search: (companyId) =>
            open((sdk, request, locationId) =>
              sdk.users.searchUsers({ companyId, locationId, limit: "1" }, request),
            ),
          list: () =>
            open((sdk, request, locationId) => sdk.users.getUserByLocation({ locationId }, request)),
        },
        { tries: 1 },
      );
      if (!String(answer.headers["content-type"]).includes("json")) throw anotherAnswered();
      return {
        burst: limitOf(answer.headers, "x-ratelimit-remaining", "x-ratelimit-max"),
        daily: limitOf(answer.headers, "x-ratelimit-daily-remaining", "x-ratelimit-limit-daily"),
      };
    },
  };
}
