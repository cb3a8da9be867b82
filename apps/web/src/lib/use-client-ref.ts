import { useMemo } from "react";

/** Gives requests their `clientRef`, with which the server does one asked for again, as after a lost answer, once. */
export interface ClientRefs {
  /** The same `asked` again carries the same one; anything else carries its own. */
  of(asked: unknown): string;
  /** What is asked for from here on is something new, be it in the same words. */
  forget(): void;
}

/** A random UUID. Not `crypto.randomUUID`: plain http in a LAN has none. */
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
