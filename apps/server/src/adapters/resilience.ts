import { channel } from "node:diagnostics_channel";
import { setTimeout as sleep } from "node:timers/promises";
import { ProviderError } from "../ports/provider-error.ts";
import { traced } from "../ports/tracer.ts";

/** Runs requests, and refuses them immediately while the vendor is down. */
export type Circuit = <T>(request: () => Promise<T>) => Promise<T>;

/** Channel with a message for each ended request of a circuit, for metrics. `outcome`: `answered`, `not-sent` or the kind of failure. */
export const providerRequests = channel("portal:provider-request");
export interface ProviderRequestNote {
  provider: string;
  outcome: string;
}

interface CircuitOptions<Failure extends Error> {
  /** The vendor's name in monitoring. */
  provider: string;
  /** Converts an error into the port's failure. */
  translate: (error: unknown) => Failure;
  /** The error while the circuit is open. No request was sent. */
  refuse: (retryAfterSeconds: number) => Failure;
  /** Whether a failure means that the vendor is down. Any other failure is a response, which closes the circuit. */
  isDown: (failure: Failure) => boolean;
  failuresMax?: number;
  openMs?: number;
  /** Milliseconds of a clock that nobody sets: after a step back of the machine's the circuit would stay open for as long. */
  now?: () => number;
}

/**
 * A circuit breaker. Opens for ten seconds after five consecutive requests that found the vendor down. Then one request is tried, which
 * closes the circuit or keeps it open; other requests are refused meanwhile.
 */
export function createCircuit<Failure extends Error>(options: CircuitOptions<Failure>): Circuit {
  const {
    provider,
    translate,
    refuse,
    isDown,
    failuresMax = 5,
    openMs = 10_000,
    now = () => performance.now(),
  } = options;
  const note = (outcome: string) =>
    providerRequests.publish({ provider, outcome } satisfies ProviderRequestNote);
  let failed = 0;
  let openUntil = 0;
  const close = () => {
    failed = 0;
    openUntil = 0;
  };

  return async (request) => {
    const waitMs = openUntil - now();
    if (waitMs > 0) {
      note("not-sent");
      throw refuse(Math.ceil(waitMs / 1000));
    }
    if (failed >= failuresMax) openUntil = now() + openMs;
    try {
      const answer = await traced(
        `${provider} request`,
        { kind: "client", facts: { "portal.provider": provider } },
        request,
      );
      close();
      note("answered");
      return answer;
    } catch (error) {
      const failure = translate(error);
      note(failure instanceof ProviderError ? failure.kind : "failed");
      if (isDown(failure)) {
        failed += 1;
        if (failed >= failuresMax) openUntil = now() + openMs;
      } else close();
      throw failure;
    }
  };
}

/** The circuit's condition for ports that throw `ProviderError`. */
export const isUnavailable = ({ kind }: ProviderError): boolean => kind === "unavailable";

const readTries = 5;
/** No new try starts after this time, so that a vendor that does not respond is tried twice instead of five times. */
const retryWindowMs = 15_000;
/** If the vendor asks for a longer wait, the error is thrown. */
const longestWaitSeconds = 30;

const jittered = (ms: number) => ms + Math.random() * 250;

interface RetryOptions {
  tries?: number | undefined;
  signal?: AbortSignal | undefined;
  /** A failure after which the request is not retried. */
  isFinal?: (failure: ProviderError) => boolean;
}

/**
 * Retries a read if the vendor was busy or down, after a pause that doubles each time. Only for reads: a call, an SMS or any other write
 * may have taken effect although it failed. If the vendor says how long to wait, its rate limiter waits, which all processes share.
 */
export async function retryRead<T>(
  read: () => Promise<T>,
  { tries = readTries, signal, isFinal }: RetryOptions = {},
): Promise<T> {
  const deadline = performance.now() + retryWindowMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ProviderError) || attempt >= tries || signal?.aborted) throw error;
      if (isFinal?.(error)) throw error;
      const { kind, retryAfterSeconds } = error;
      if (kind !== "unavailable" && kind !== "rate-limited") throw error;
      if (kind === "unavailable" && performance.now() > deadline) throw error;
      if ((retryAfterSeconds ?? 0) > longestWaitSeconds) throw error;
      await sleep(jittered(retryAfterSeconds === null ? 500 * 2 ** (attempt - 1) : 0));
    }
  }
}

/**
 * Aborts a request if its response does not begin within `timeoutMs`. Reading the body has no limit, but `signal` aborts it. Errors: those
 * of the request; `invalid` if `signal` was aborted, which says nothing about the vendor.
 */
export async function untilAnswered<T>(
  { provider, timeoutMs, signal }: { provider: string; timeoutMs: number; signal: AbortSignal },
  request: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const slow = new AbortController();
  const timer = setTimeout(() => slow.abort(), timeoutMs);
  try {
    return await request(AbortSignal.any([signal, slow.signal]));
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new ProviderError({ provider, kind: "invalid", message: "Nobody waits for the answer any more." });
  } finally {
    clearTimeout(timer);
  }
}
