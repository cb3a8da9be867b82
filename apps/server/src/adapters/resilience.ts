import { channel } from "node:diagnostics_channel";
import { setTimeout as sleep } from "node:timers/promises";
import { ProviderError } from "../ports/provider-error.ts";
import { traced } from "../ports/tracer.ts";

/** Runs requests, and refuses them at once while the vendor is known to be down. */
export type Circuit = <T>(request: () => Promise<T>) => Promise<T>;

/** Every request that passes a circuit, once it has ended: for whoever counts them. `outcome` is `answered` or the kind of failure. */
export const providerRequests = channel("portal:provider-request");
export interface ProviderRequestNote {
  provider: string;
  outcome: string;
}

interface CircuitOptions<Failure extends Error> {
  /** The vendor's name, as monitoring shows it. */
  provider: string;
  /** The failure in the words of the port. */
  translate: (error: unknown) => Failure;
  /** What is answered while the circuit is open: nothing was sent. */
  refuse: (retryAfterSeconds: number) => Failure;
  /** Whether a failure means that the vendor is down. Anything else is an answer, which closes the circuit. */
  isDown: (failure: Failure) => boolean;
  failuresMax?: number;
  openMs?: number;
  now?: () => number;
}

/**
 * Opens after five requests in a row that found the vendor down, for ten seconds; then one request tries again, and closes the circuit
 * or keeps it open. Whoever comes while that one tries is refused.
 */
export function createCircuit<Failure extends Error>(options: CircuitOptions<Failure>): Circuit {
  const { provider, translate, refuse, isDown, failuresMax = 5, openMs = 10_000, now = Date.now } = options;
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

/** The circuit's condition of a vendor whose port fails with `ProviderError`. */
export const isUnavailable = ({ kind }: ProviderError): boolean => kind === "unavailable";

const readTries = 5;
/** No new try after this, so that a silent vendor is asked twice and not five times. */
const patienceMs = 15_000;
/** A wait longer than this is left to the caller. */
const longestWaitSeconds = 30;

const jittered = (ms: number) => ms + Math.random() * 250;

interface RetryOptions {
  tries?: number | undefined;
  signal?: AbortSignal | undefined;
  /** A failure after which the same is not asked again. */
  isFinal?: (failure: ProviderError) => boolean;
}

/**
 * Asks again where the vendor was busy or down, after a pause that doubles. For reads only: a call, a text or any other write that
 * failed may have taken effect. A vendor that says how long to wait is waited for by its pace, which all processes share.
 */
export async function retryRead<T>(
  read: () => Promise<T>,
  { tries = readTries, signal, isFinal }: RetryOptions = {},
): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ProviderError) || attempt >= tries || signal?.aborted) throw error;
      if (isFinal?.(error)) throw error;
      const { kind, retryAfterSeconds } = error;
      if (kind !== "unavailable" && kind !== "rate-limited") throw error;
      if (kind === "unavailable" && Date.now() > deadline) throw error;
      if ((retryAfterSeconds ?? 0) > longestWaitSeconds) throw error;
      await sleep(jittered(retryAfterSeconds === null ? 500 * 2 ** (attempt - 1) : 0));
    }
  }
}

/**
 * Ends a request whose answer has not begun within `timeoutMs`; its body may take as long as it likes, unless `signal` ends it. Errors:
 * those of the request; `invalid` where the caller has left, which says nothing about the vendor.
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
