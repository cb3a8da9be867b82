import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { CrmPace } from "../../ports/crm.ts";
import { CrmScopeMissing, CrmWrongLocation } from "../../ports/crm.ts";
import type { CrmProbe, LimitLeft } from "../../ports/probe.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { conversationsVersion, createClient, type GoHighLevelOptions, type Send } from "./client.ts";
import { type Answer, fault } from "./errors.ts";
import { createUsersWay } from "./users.ts";

/** Not a valid contact id: those have 20 letters and digits. */
const nobody = "portal-scope-check";

interface Question {
  scope: string;
  send: Send;
  version?: string;
  /** The request addresses a record that does not exist. Any refusal other than for the scope shows that the scope is granted. */
  ofNobody?: true;
}

/**
 * Requests that show whether a key has a scope and change nothing: a read of one record, or a write to a contact that does not exist. The
 * scope of users is checked by the probe itself; the one for creating fields could only be checked by creating one
 * (docs/providers/gohighlevel.md).
 */
const questions: Question[] = [
  {
    scope: "contacts.readonly",
    send: (sdk, request, locationId) =>
      sdk.contacts.searchContactsAdvanced({ locationId, pageLimit: 1 }, request),
  },
  {
    scope: "contacts.write",
    send: (sdk, request) => sdk.contacts.updateContact({ contactId: nobody }, {}, request),
    ofNobody: true,
  },
  {
    scope: "locations.readonly",
    send: (sdk, request, locationId) => sdk.locations.getLocation({ locationId }, request),
  },
  {
    scope: "locations/customFields.readonly",
    send: (sdk, request, locationId) =>
      sdk.locations.getCustomFields({ locationId, model: "contact" }, request),
  },
  {
    scope: "conversations/message.readonly",
    send: (sdk, request, locationId) =>
      sdk.conversations.exportMessagesByLocation({ locationId, channel: "Call", limit: 10 }, request),
    version: conversationsVersion,
  },
];

/** Whether a refusal is only for the scope. Some of the vendor's services respond with 403 without mentioning it. */
const isForScope = (error: ProviderError) =>
  error instanceof CrmScopeMissing ||
  (error.kind === "auth" && error.httpStatus === 403 && !(error instanceof CrmWrongLocation));

/** Returns the scopes that a key lacks. `open` sends one request. Errors: `ProviderError` if a scope could not be checked. */
async function findMissingScopes(
  open: (send: Send, version?: string) => Promise<unknown>,
): Promise<string[]> {
  const missing = await Promise.all(
    questions.map(async ({ scope, send, version, ofNobody }) => {
      try {
        await open(send, version);
        return [];
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        if (isForScope(error)) return [scope];
        if (ofNobody && ["not-found", "invalid"].includes(error.kind)) return [];
        throw error;
      }
    }),
  );
  return missing.flat();
}

const timeoutMs = 6_000;
/** A person is waiting, so the probe does not wait longer behind a sync. */
const longestWaitMs = 3_000;

function headerCount(headers: Record<string, unknown>, name: string): number | null {
  const text = headers[name];
  const count = typeof text === "string" && text.trim() !== "" ? Number(text) : Number.NaN;
  return Number.isFinite(count) ? count : null;
}

function limitOf(headers: Record<string, unknown>, left: string, of: string): LimitLeft {
  return { left: headerCount(headers, left), of: headerCount(headers, of) };
}

/** Limits the wait for a turn; after it the rate limit is reported. */
function impatient(pace: CrmPace): CrmPace {
  return {
    hold: pace.hold,
    turn: () => Promise.race([pace.turn(), sleep(longestWaitMs, longestWaitMs / 1000)]),
  };
}

/** The response is not the vendor's, for example a proxy's page. */
function anotherAnswered(): ProviderError {
  return new ProviderError({
    provider: "gohighlevel",
    kind: "invalid",
    message: "The answer is not GoHighLevel's.",
  });
}

/**
 * Requests one user, without retries, for the headers of the response, because every installation may read users. The first probe also
 * reads the location. Limits: https://marketplace.gohighlevel.com/docs/oauth/Faqs (rate limits)
 */
export function createGoHighLevelProbe(options: GoHighLevelOptions): CrmProbe {
  // A separate client, so that an open circuit of other requests does not block the probe.
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
