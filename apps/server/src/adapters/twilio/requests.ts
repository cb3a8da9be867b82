import type { Twilio } from "twilio";
import { createCircuit } from "./circuit.ts";
import { openClient, type TwilioEnv } from "./client.ts";
import { circuitOpen, toProviderError } from "./errors.ts";

/** Asks Twilio: the SDK is loaded with the first request, and a circuit of its own stands before it. Errors: `ProviderError`. */
export function createRequests(env: TwilioEnv, timeoutMs: number) {
  let client: Promise<Twilio> | null = null;
  const circuit = createCircuit({ failures: 5, openMs: 10_000, refuse: circuitOpen, toProviderError });
  return {
    /** For what the SDK does not do. */
    circuit,
    ask<T>(request: (twilio: Twilio) => Promise<T>): Promise<T> {
      client ??= openClient(env, timeoutMs);
      const opened = client;
      return circuit(async () => request(await opened));
    },
  };
}
