import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { HighLevel } from "@gohighlevel/api-client";
import type { z } from "zod";
import { type CrmAccess, type CrmKey, CrmKeyMissing, type CrmPace } from "../../ports/crm.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { createCircuit, isUnavailable, retryRead, untilAnswered } from "../resilience.ts";
import {
  type Answer,
  circuitOpen,
  fault,
  isKeyRefused,
  silenceSeconds,
  TimeoutError,
  TooLargeError,
  timeout,
  tooLarge,
  unreachable,
} from "./errors.ts";

export interface GoHighLevelOptions {
  baseUrl: string;
  access: CrmAccess;
  pace: CrmPace;
  /** Timeout of a response in ms; 10 s by default. */
  timeoutMs?: number;
  /** Timeout of a page of a search or an export in ms; 60 s by default. */
  pageTimeoutMs?: number;
}

/** Options that the vendor's client passes to its HTTP library. */
type RequestOptions = NonNullable<Parameters<HighLevel["contacts"]["getContact"]>[1]>;
/** A request through the vendor's client. */
export type Send = (sdk: HighLevel, options: RequestOptions, locationId: string) => Promise<unknown>;

/** Conversations have an API version of their own. https://marketplace.gohighlevel.com/docs/ghl/conversations */
export const conversationsVersion = "2021-04-15";
const contactsVersion = "2021-07-28";

const usualTimeoutMs = 10_000;
/** Pages of 500 have taken 11 s and more. */
const usualPageTimeoutMs = 60_000;
const maxAnswerBytes = 10 * 1024 * 1024;
/** Maximum characters that are read of a refusal. */
const maxRefusal = 10_000;

/** Size of a page, and whether a smaller page is requested instead if this one times out. */
export interface PageRequest {
  limit: number;
  mayShrink: boolean;
}

export interface Ask<Schema extends z.ZodType> {
  send: Send;
  schema: Schema;
  version?: string;
  /** Reads are retried. 1 for writes and for reads that a person waits for. */
  tries?: number;
  signal?: AbortSignal | undefined;
  /**
   * Set for a page of many records, which takes longer for large accounts. If a smaller page can be requested, this size is not retried
   * after a timeout.
   */
  page?: PageRequest;
}

/**
 * A class instance, because the vendor's client copies plain objects and searches their text for secrets, for a log that is not written.
 */
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

/** Reads the text of a refused stream. It says whether the key, its scope or its location is refused. */
async function withWords(answer: Answer): Promise<Answer> {
  const { status, data } = answer;
  if (![401, 403].includes(status) || !(data instanceof Readable)) return answer;
  let said = "";
  for await (const part of data) {
    said += part;
    if (said.length > maxRefusal) break;
  }
  return { ...answer, data: said };
}

/** Reads the whole body as text. Errors: `TooLargeError`; those of the connection. */
async function readWhole(answer: Answer): Promise<Answer> {
  if (!(answer.data instanceof Readable)) return answer;
  try {
    return { ...answer, data: await text(answer.data) };
  } catch (error) {
    const isTooLarge = /^maxContentLength size/.test(error instanceof Error ? error.message : "");
    throw isTooLarge ? tooLarge(answer.status) : unreachable(error);
  }
}

/**
 * The client of the vendor's API. Each request is rate limited, has a timeout, a size limit and retries, and its response is checked by a
 * schema.
 */
export function createClient(options: GoHighLevelOptions) {
  const { access, timeoutMs = usualTimeoutMs, pageTimeoutMs = usualPageTimeoutMs } = options;
  /** One client for each token. The token changes at most once a day. */
  let sdk: { token: string; client: Promise<HighLevel> } | undefined;
  const circuit = createCircuit({
    provider: "gohighlevel",
    translate: (error) => (error instanceof ProviderError ? error : unreachable(error)),
    refuse: circuitOpen,
    // Without a key no request was sent, so the vendor may be available.
    isDown: (failure) =>
      isUnavailable(failure) && !(failure instanceof CrmKeyMissing) && !(failure instanceof TooLargeError),
  });

  /** Loaded on first use, because the client takes 30 MB and 0.2 s. */
  async function load(token: string): Promise<HighLevel> {
    const { HighLevel: Client } = await import("@gohighlevel/api-client");
    const client = new Client({
      privateIntegrationToken: token,
      apiVersion: contactsVersion,
      // By name: the client treats LogLevel.NONE, which is 0, as "not set" and prints whole requests.
      logLevel: "none",
    });
    const { hostname } = new URL(options.baseUrl);
    Object.assign(client.getHttpClient().defaults, {
      baseURL: options.baseUrl,
      timeout: timeoutMs,
      maxRedirects: 0,
      validateStatus: () => true,
      // A proxy set in the environment cannot reach this machine's loopback address.
      ...(["127.0.0.1", "localhost"].includes(hostname) && { proxy: false }),
    });
    return client;
  }

  async function exchangeWith(
    { token, locationId }: CrmKey,
    send: Send,
    request: RequestOptions,
    version: string,
  ): Promise<Answer> {
    if (sdk?.token !== token) sdk = { token, client: load(token) };
    const client = await sdk.client;
    // The generated methods return only the body, but the status and headers are needed too.
    const transformResponse = [
      (data: unknown, headers: unknown, status?: number): Answer =>
        new Reply({ status: status ?? 0, headers: headers as Answer["headers"], data }),
    ];
    try {
      const all = { ...request, headers: { Version: version }, transformResponse };
      return await withWords((await send(client, all, locationId)) as Answer);
    } catch (error) {
      throw unreachable(error);
    }
  }

  /** A request with a refused key is sent once more with a new key. It had no effect, so this is safe. */
  async function exchange(
    key: CrmKey,
    send: Send,
    request: RequestOptions,
    version: string,
  ): Promise<Answer> {
    const answer = await exchangeWith(key, send, request, version);
    if (!isKeyRefused(answer) || !(await access.refused(key))) return answer;
    return exchangeWith(await access.key(), send, request, version);
  }

  /** Waits for a turn of the rate limiter that all processes share. Errors: `rate-limited` if the wait is too long. */
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

  /** Evaluates the response's rate limits. If one is used up, all processes stop until it resets. */
  async function heed(answer: Answer): Promise<void> {
    const seconds = silenceSeconds(answer);
    if (seconds > 0) await options.pace.hold(seconds);
  }

  async function once<Schema extends z.ZodType>(ask: Ask<Schema>): Promise<z.output<Schema>> {
    const key = await access.key();
    await turn();
    const limit = AbortSignal.timeout(ask.page ? pageTimeoutMs : timeoutMs);
    const request = {
      // As a stream, because the vendor's client does not say why a body could not be read.
      responseType: "stream" as const,
      maxContentLength: maxAnswerBytes,
      timeout: 0,
      signal: ask.signal ? AbortSignal.any([ask.signal, limit]) : limit,
    };
    const answer = await exchange(key, ask.send, request, ask.version ?? contactsVersion)
      .then(readWhole)
      .catch((error) => {
        throw limit.aborted && !ask.signal?.aborted ? timeout(error) : error;
      });
    await heed(answer);
    const refusal = fault(answer);
    if (refusal) throw refusal;
    return parse(ask.schema, answer);
  }

  function ask<Schema extends z.ZodType>(ask: Ask<Schema>): Promise<z.output<Schema>> {
    const isFinal = (failure: ProviderError) =>
      failure instanceof CrmKeyMissing ||
      failure instanceof TooLargeError ||
      (ask.page?.mayShrink === true && failure instanceof TimeoutError);
    return circuit(() => retryRead(() => once(ask), { ...ask, isFinal }));
  }

  /** Opens a body of any length. Only its headers must arrive within the timeout. */
  async function open(
    send: Send,
    { version = contactsVersion, signal }: { version?: string; signal: AbortSignal },
  ): Promise<Answer> {
    return circuit(async () => {
      const key = await access.key();
      await turn();
      const answer = await untilAnswered({ provider: "gohighlevel", timeoutMs, signal }, (until) =>
        exchange(key, send, { responseType: "stream" as const, timeout: 0, signal: until }, version),
      );
      await heed(answer);
      return answer;
    });
  }

  return { ask, open };
}

export type Client = ReturnType<typeof createClient>;

/** Errors: `unavailable` if the response is not JSON or not as documented, for example a proxy's page or a truncated response. */
function parse<Schema extends z.ZodType>(schema: Schema, { data, status }: Answer): z.output<Schema> {
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
    httpStatus: status,
    cause,
  });
}
