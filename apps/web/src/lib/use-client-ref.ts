import { useMemo } from "react";

/** Gives requests their `clientRef`, with which the server does one asked for again, as after a lost answer, once. */
export interface ClientRefs {
  /** The same `asked` again carries the same one; anything else carries its own. */
  of(asked: unknown): string;
  /** What is asked for from here on is something new, be it in the same words. */
  forget(): void;
}

/** The references of one form. */
export function useClientRef(): ClientRefs {
  return useMemo(() => {
    let last = { text: "", clientRef: "" };
    return {
      of(asked) {
        const text = JSON.stringify(asked);
        if (last.text !== text) last = { text, clientRef: crypto.randomUUID() };
        return last.clientRef;
      },
      forget() {
        last = { text: "", clientRef: "" };
      },
    };
  }, []);
}
