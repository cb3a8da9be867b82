import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { HighLevel } from "@gohighlevel/api-client";
import type { z } from "zod";
import type { CrmPace } from "../../ports/crm.ts";
import { type CrmAccess, type CrmKey, CrmKeyMissing } from "../../ports/crm-app.ts";
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
  /** How long an answer may take, ms; 10 s unless said otherwise. */
  timeoutMs?: number;
  /** How long a page of a search or an export may take, ms; 60 s unless said otherwise. */
  pageTimeoutMs?: number;
}

/** Options the vendor's client hands on to its HTTP library. */
type RequestOptions = NonNullable<Parameters<HighLevel["contacts"]["getContact"]>[1]>;
/** How the vendor's client is asked. */
export type Send = (sdk: HighLevel, options: RequestOptions, locationId: string) => Promise<unknown>;

/** Conversations have a version of their own. https://marketplace.gohighlevel.com/docs/ghl/conversations */
export const conversationsVersion = "2021-04-15";
const contactsVersion = "2021-07-28";

const usualTimeoutMs = 10_000;
/** Pages of 500 were seen to take 11 s and more. */
const usualPageTimeoutMs = 60_000;
const maxAnswerBytes = 10 * 1024 * 1024;
/** What is read of a refusal, characters. */
const maxRefusal = 10_000;

/** How many records a page holds, and whether fewer would be asked for where it takes too long. */
export interface PageRequest {
  limit: number;
  mayShrink: boolean;
}

export interface Ask<Schema extends z.ZodType> {
  send: Send;
  schema: Schema;
  version?: string;
  /** Reads are tried again; for writes and what a person waits for it is 1. */
  tries?: number;
  signal?: AbortSignal | undefined;
  /** A page of many records, for which large accounts take their time; where a smaller one can be asked for, it is not tried again. */
  page?: PageRequest;
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

/** A refused stream with its words in place of it: they say whether the key is refused, or its scope or location. */
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

/** An answer with its whole body as text. Errors: `TooLargeError`; those of the connection. */
async function readWhole(answer: Answer): Promise<Answer> {
  if (!(answer.data instanceof Readable)) return answer;
  try {
    return { ...answer, data: await text(answer.data) };
  } catch (error) {
    const isTooLarge = /^maxContentLength size/.test(error instanceof Error ? error.message : "");
    throw isTooLarge ? tooLarge(answer.status) : unreachable(error);
  }
}

/** One way to the vendor's API: pace, time-out, size limit, retries, and every answer checked by a schema. */
export function createClient(options: GoHighLevelOptions) {
  const { access, timeoutMs = usualTimeoutMs, pageTimeoutMs = usualPageTimeoutMs } = options;
  /** One for a token: it changes once a day, where it changes at all. */
  let sdk: { token: string; client: Promise<HighLevel> } | undefined;
  const circuit = createCircuit({
    provider: "gohighlevel",
    translate: (error) => (error instanceof ProviderError ? error : unreachable(error)),
    refuse: circuitOpen,
    // Without a key nothing was asked: the vendor may be well.
    isDown: (failure) =>
      isUnavailable(failure) && !(failure instanceof CrmKeyMissing) && !(failure instanceof TooLargeError),
  });

  /** Loaded on first use: the client costs 30 MB and a fifth of a second. */
  async function load(token: string): Promise<HighLevel> {
    const { HighLevel: Client } = await import("@gohighlevel/api-client");
    const client = new Client({
      privateIntegrationToken: token,
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

  async function exchangeWith(
    { token, locationId }: CrmKey,
    send: Send,
    request: RequestOptions,
    version: string,
  ): Promise<Answer> {
    if (sdk?.token !== token) sdk = { token, client: load(token) };
    const client = await sdk.client;
    // The generated methods answer the body alone; status and headers are needed too.
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

  /** A refused key is asked for anew, once: what was refused had no effect. */
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
    const key = await access.key();
    await turn();
    const limit = AbortSignal.timeout(ask.page ? pageTimeoutMs : timeoutMs);
    const request = {
      // The vendor's client does not say why a body could not be read.
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

  /** Opens a body of any length; only its headers must come within the time-out. */
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

/** Errors: `unavailable` where the answer is no JSON or not what is documented: a proxy's page, half an answer. */
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
