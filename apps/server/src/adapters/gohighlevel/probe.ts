import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { CrmPace } from "../../ports/crm.ts";
import { CrmScopeMissing, CrmWrongLocation } from "../../ports/crm-app.ts";
import type { CrmProbe, LimitLeft } from "../../ports/probe.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { conversationsVersion, createClient, type GoHighLevelOptions, type Send } from "./client.ts";
import { type Answer, fault } from "./errors.ts";
import { createUsersWay } from "./users.ts";

/** No contact's: theirs have 20 letters and digits. */
const nobody = "portal-scope-check";

interface Question {
  scope: string;
  send: Send;
  version?: string;
  /** Asked about a record that there is not: any other refusal than for the scope shows it granted. */
  ofNobody?: true;
}

/**
 * What shows whether a key has a scope, without changing anything: a read of one record, and a write to a contact that does not exist. Users
 * are asked for by the probe itself; fields can only be made in earnest (docs/providers/gohighlevel.md).
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

/** Whether a refusal is for the scope alone: some of the vendor's services answer 403 without a word about it. */
const isForScope = (error: ProviderError) =>
  error instanceof CrmScopeMissing ||
  (error.kind === "auth" && error.httpStatus === 403 && !(error instanceof CrmWrongLocation));

/** The scopes that a key lacks. `open` asks once. Errors: `ProviderError` where that cannot be told of one of them. */
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
