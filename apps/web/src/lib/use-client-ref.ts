import { useMemo } from "react";

/** Creates the `clientRef` of requests, by which the server executes a repeated request once, for example after a lost response. */
export interface ClientRefs {
  /** Equal requests get the same reference, others a new one. */
  of(asked: unknown): string;
  /** The next request is a new one, even if it is equal to the last. */
  forget(): void;
}

/** A random UUID. `crypto.randomUUID` is not available with plain http in a LAN. */
export function newClientRef(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  // Version 4 and the variant of RFC 9562.
  bytes.set([((bytes[6] ?? 0) & 0x0f) | 0x40], 6);
  bytes.set([((bytes[8] ?? 0) & 0x3f) | 0x80], 8);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** The references of one form. */
export function useClientRef(): ClientRefs {
  return useMemo(() => {
    let last = { text: "", clientRef: "" };
    return {
      of(asked) {
        const text = JSON.stringify(asked);
        if (last.text !== text) last = { text, clientRef: newClientRef() };
        return last.clientRef;
      },
      forget() {
        last = { text: "", clientRef: "" };
      },
    };
  }, []);
}
