import { setTimeout as sleep } from "node:timers/promises";
import type { HighLevel } from "@gohighlevel/api-client";
import type { z } from "zod";
import type { CrmPace } from "../../ports/crm.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { type Answer, fault, silenceSeconds, unreachable } from "./faults.ts";

export interface GoHighLevelOptions {
  baseUrl: string;
  token: string;
  locationId: string;
  pace: CrmPace;
  /** How long an answer may take, ms; 10 s unless said otherwise. */
  timeoutMs?: number;
}

/** Options the vendor's client hands on to its HTTP library. */
type RequestOptions = NonNullable<Parameters<HighLevel["contacts"]["getContact"]>[1]>;
type Send = (sdk: HighLevel, options: RequestOptions) => Promise<unknown>;

/** Conversations have a version of their own. https://marketplace.gohighlevel.com/docs/ghl/conversations */
export const conversationsVersion = "2021-04-15";
const contactsVersion = "2021-07-28";

const usualTimeoutMs = 10_000;
const maxAnswerBytes = 10 * 1024 * 1024;
const maxTries = 5;
/** No new try after this, so that a silent vendor is asked twice and not five times. */
const patienceMs = 15_000;
/** A wait longer than this is told to the caller instead. */
const longestWaitSeconds = 30;
/** After so many requests in a row without an answer, none is sent for a while. */
const breakAfter = 5;
const breakMs = 15_000;

export interface Ask<Schema extends z.ZodType> {
  send: Send;
  schema: Schema;
  version?: string;
  /** Reads are tried again; writes and what a person waits for are not. */
  tries?: number;
  signal?: AbortSignal | undefined;
}

/** No plain object: the vendor's client would copy that, and look through its text for secrets, for a log that it does not write. */
class Reply implements Answer {
  status: number;
  headers: Answer["headers"];
  data: unknown;

  constructor({ status, headers, data }: Answer) {
    this.status = status;
    this.headers = headers;
    this.data = data;
  }
}

/** One way to the vendor's API: pace, time-out, size limit, retries, and every answer checked by a schema. */
export function createClient(options: GoHighLevelOptions) {
  const { timeoutMs = usualTimeoutMs } = options;
  let sdk: Promise<HighLevel> | undefined;
  let unanswered = 0;
  let closedUntil = 0;

  /** Loaded on first use: the client costs 30 MB and a fifth of a second. */
  async function load(): Promise<HighLevel> {
    const { HighLevel: Client } = await import("@gohighlevel/api-client");
    const client = new Client({
      privateIntegrationToken: options.token,
      apiVersion: contactsVersion,
      // By its name: the client reads LogLevel.NONE, which is 0, as "not set" and prints whole requests.
      logLevel: "none",
    });
    const { hostname } = new URL(options.baseUrl);
    Object.assign(client.getHttpClient().defaults, {
      baseURL: options.baseUrl,
      timeout: timeoutMs,
      maxRedirects: 0,
      validateStatus: () => true,
      // A proxy of the machine's environment cannot reach the machine itself.
      ...(["127.0.0.1", "localhost"].includes(hostname) && { proxy: false }),
    });
    return client;
  }

  async function exchange(send: Send, request: RequestOptions, version: string): Promise<Answer> {
    sdk ??= load();
    const client = await sdk;
    // The generated methods answer the body alone; status and headers are needed too.
    const transformResponse = [
      (data: unknown, headers: unknown, status?: number): Answer =>
        new Reply({ status: status ?? 0, headers: headers as Answer["headers"], data }),
    ];
    try {
      return (await send(client, {
        ...request,
        headers: { Version: version },
        transformResponse,
      })) as Answer;
    } catch (error) {
      throw unreachable(error);
    }
  }

  /** Keeps silent towards a vendor that does not answer (ASVS V16.5.2). */
  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    const waitMs = closedUntil - Date.now();
    if (waitMs > 0) {
      throw new ProviderError({
        provider: "gohighlevel",
        kind: "unavailable",
        message: "GoHighLevel is not answering at the moment. Please try again in a moment.",
        retryAfterSeconds: Math.ceil(waitMs / 1000),
      });
    }
    try {
      const result = await work();
      unanswered = 0;
      return result;
    } catch (error) {
      const silent = error instanceof ProviderError && error.kind === "unavailable";
      unanswered = silent ? unanswered + 1 : 0;
      if (unanswered >= breakAfter) {
        unanswered = 0;
        closedUntil = Date.now() + breakMs;
      }
      throw error;
    }
  }

  /** Waits for the turn that all processes share. Errors: `rate-limited` where that would take longer than anyone waits. */
  async function turn(): Promise<void> {
    const seconds = await options.pace.turn();
    if (seconds === 0) return;
    throw new ProviderError({
      provider: "gohighlevel",
      kind: "rate-limited",
      message: "GoHighLevel allows no more requests for now.",
      retryAfterSeconds: seconds,
    });
  }

  /** What an answer says of the limits: a used-up one silences every process until it is whole again. */
  async function heed(answer: Answer): Promise<void> {
    const seconds = silenceSeconds(answer);
    if (seconds > 0) await options.pace.hold(seconds);
  }

  async function once<Schema extends z.ZodType>(ask: Ask<Schema>): Promise<z.output<Schema>> {
    await turn();
    const limit = AbortSignal.timeout(timeoutMs);
    const request = {
      responseType: "text" as const,
      maxContentLength: maxAnswerBytes,
      signal: ask.signal ? AbortSignal.any([ask.signal, limit]) : limit,
    };
    const answer = await exchange(ask.send, request, ask.version ?? contactsVersion);
    await heed(answer);
    const refusal = fault(answer);
    if (refusal) throw refusal;
    return parse(ask.schema, answer);
  }

  async function ask<Schema extends z.ZodType>(ask: Ask<Schema>): Promise<z.output<Schema>> {
    const tries = ask.tries ?? maxTries;
    const deadline = Date.now() + patienceMs;
    return guarded(async () => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await once(ask);
        } catch (error) {
          if (!(error instanceof ProviderError)) throw error;
          const told = error.retryAfterSeconds;
          const passes = error.kind === "unavailable" || error.kind === "rate-limited";
          const silent = error.kind === "unavailable" && Date.now() > deadline;
          if (
            !passes ||
            silent ||
            attempt >= tries ||
            ask.signal?.aborted ||
            (told ?? 0) > longestWaitSeconds
          )
            throw error;
          await sleep(jittered(told === null ? 500 * 2 ** (attempt - 1) : 0));
        }
      }
    });
  }

  /** Opens a body of any length; only its headers must come within the time-out. */
  async function open(
    send: Send,
    { version = contactsVersion, signal }: { version?: string; signal: AbortSignal },
  ): Promise<Answer> {
    return guarded(async () => {
      await turn();
      const slow = new AbortController();
      const timer = setTimeout(() => slow.abort(), timeoutMs);
      try {
        const request = {
          responseType: "stream" as const,
          timeout: 0,
          signal: AbortSignal.any([signal, slow.signal]),
        };
        const answer = await exchange(send, request, version);
        await heed(answer);
        return answer;
      } finally {
        clearTimeout(timer);
      }
    });
  }

  return { ask, open, locationId: options.locationId };
}

export type Client = ReturnType<typeof createClient>;

function jittered(ms: number): number {
  return ms + Math.random() * 250;
}

/** Errors: `unavailable` where the answer is no JSON or not what is documented: a proxy's page, half an answer. */
function parse<Schema extends z.ZodType>(schema: Schema, { data }: Answer): z.output<Schema> {
  let cause: unknown;
  try {
    const result = schema.safeParse(JSON.parse(String(data)));
    if (result.success) return result.data;
    cause = result.error;
  } catch (error) {
    cause = error;
  }
  throw new ProviderError({
    provider: "gohighlevel",
    kind: "unavailable",
    message: "GoHighLevel sent an answer that cannot be read.",
    cause,
  });
}
