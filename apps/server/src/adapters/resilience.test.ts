import { describe, expect, it, vi } from "vitest";
import { ProviderError, type ProviderFailure } from "../ports/provider-error.ts";
import { createCircuit, isUnavailable, retryRead, untilAnswered } from "./resilience.ts";

const failureOf = (kind: ProviderFailure, more: { ambiguous?: boolean; retryAfterSeconds?: number } = {}) =>
  new ProviderError({ provider: "vendor", kind, message: kind, ...more });

const rules = {
  provider: "vendor",
  translate: (error: unknown) => error as ProviderError,
  refuse: (retryAfterSeconds: number) => failureOf("unavailable", { retryAfterSeconds }),
  isDown: isUnavailable,
};

describe("the circuit breaker", () => {
  it("opens after failures in a row, allows one trial later, and closes when it succeeds", async () => {
    let now = 0;
    const circuit = createCircuit({ ...rules, failuresMax: 2, openMs: 1_000, now: () => now });
    let asked = 0;
    const fail = () => {
      asked += 1;
      return Promise.reject(failureOf("unavailable", { ambiguous: true }));
    };
    await expect(circuit(fail)).rejects.toBeInstanceOf(ProviderError);
    await expect(circuit(fail)).rejects.toBeInstanceOf(ProviderError);
    await expect(circuit(fail)).rejects.toMatchObject({ ambiguous: false, retryAfterSeconds: 1 });
    expect(asked).toBe(2);
    now = 1_001;
    await expect(circuit(async () => "ok")).resolves.toBe("ok");
    await expect(circuit(fail)).rejects.toMatchObject({ ambiguous: true });
    expect(asked).toBe(3);
  });

  it("stays open when the trial fails, and rejects other requests meanwhile", async () => {
    let now = 0;
    const circuit = createCircuit({ ...rules, failuresMax: 1, openMs: 1_000, now: () => now });
    await expect(circuit(() => Promise.reject(failureOf("unavailable")))).rejects.toThrow();
    now = 1_001;
    const { promise, reject } = Promise.withResolvers<never>();
    const trying = circuit(() => promise);
    await expect(circuit(async () => "ok")).rejects.toMatchObject({ retryAfterSeconds: 1 });
    reject(failureOf("unavailable"));
    await expect(trying).rejects.toMatchObject({ retryAfterSeconds: null });
    await expect(circuit(async () => "ok")).rejects.toMatchObject({ retryAfterSeconds: 1 });
  });

  it("does not stay open longer when the system clock is set back", async () => {
    const circuit = createCircuit({ ...rules, failuresMax: 1, openMs: 20 });
    await expect(circuit(() => Promise.reject(failureOf("unavailable")))).rejects.toThrow();
    vi.useFakeTimers({ now: Date.now() - 3_600_000, toFake: ["Date"] });
    try {
      await expect.poll(() => circuit(async () => "ok").catch(() => null)).toBe("ok");
    } finally {
      vi.useRealTimers();
    }
  });

  it("stays closed when the vendor rejects a request, which is a valid response", async () => {
    const circuit = createCircuit({ ...rules, failuresMax: 1 });
    const refuse = () => Promise.reject(failureOf("invalid"));
    await expect(circuit(refuse)).rejects.toMatchObject({ kind: "invalid" });
    await expect(circuit(refuse)).rejects.toMatchObject({ kind: "invalid" });
  });
});

describe("a read request", () => {
  const asking = (...failures: Error[]) => {
    const state = { asked: 0 };
    const read = async () => {
      const failure = failures[state.asked];
      state.asked += 1;
      if (failure) throw failure;
      return "answer";
    };
    return { state, read };
  };

  it("is retried when the vendor is down or busy", async () => {
    const { read, state } = asking(
      failureOf("unavailable"),
      failureOf("rate-limited", { retryAfterSeconds: 1 }),
    );
    expect(await retryRead(read)).toBe("answer");
    expect(state.asked).toBe(3);
  });

  it.each([
    ["a rejection by the vendor", failureOf("invalid"), {}],
    ["an authorization failure", failureOf("auth"), {}],
    ["an error of our own", new Error("ours"), {}],
    ["a Retry-After beyond the longest wait", failureOf("rate-limited", { retryAfterSeconds: 31 }), {}],
    ["a failure with a limit of one try", failureOf("unavailable"), { tries: 1 }],
    ["a cancellation by the caller", failureOf("unavailable"), { signal: AbortSignal.abort() }],
  ])("is not retried after %s", async (_name, failure, options) => {
    const { read, state } = asking(failure);
    await expect(retryRead(read, options)).rejects.toBe(failure);
    expect(state.asked).toBe(1);
  });
});

describe("the response timeout", () => {
  const never = (signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("aborted")));
      if (signal.aborted) reject(new Error("aborted"));
    });

  it("ends a request without a response as a vendor failure", async () => {
    const { signal } = new AbortController();
    await expect(untilAnswered({ provider: "vendor", timeoutMs: 10, signal }, never)).rejects.toThrow(
      "aborted",
    );
  });

  it("does not count a caller's cancellation against the vendor", async () => {
    const options = { provider: "vendor", timeoutMs: 60_000, signal: AbortSignal.abort() };
    await expect(untilAnswered(options, never)).rejects.toMatchObject({ kind: "invalid" });
  });
});
