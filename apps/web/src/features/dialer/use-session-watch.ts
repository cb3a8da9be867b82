import type { DialerSession } from "@portal/contract/entities/dialer";
import { commandDialer } from "@portal/contract/routes/dialer";
import { useEffect, useEffectEvent } from "react";
import { sendOnLeave } from "../../lib/send-on-leave.ts";
import { tellTyping } from "./queries.ts";
import { startRollCall } from "./roll-call.ts";

/** Between two words about typing, in ms. */
const typingEveryMs = 2_000;

/** Pauses the session when the last page of this browser goes away: nobody is rung while nobody looks. */
export function usePauseOnLeave(session: DialerSession | null): void {
  const onLastLeft = useEffectEvent(() => {
    if (session?.status !== "active") return;
    const { id, position } = session;
    sendOnLeave(commandDialer, { params: { id }, body: { command: "left", position } });
  });
  useEffect(() => startRollCall(() => onLastLeft()), []);
}

/** Holds the countdown while the consultant types, wherever in the portal. */
export function useTypingNotice(session: DialerSession | null): void {
  const id = session?.status === "active" && session.phase === "countdown" ? session.id : null;
  useEffect(() => {
    if (id === null) return;
    let toldAt = Number.NEGATIVE_INFINITY;
    const onInput = () => {
      const now = performance.now();
      if (now - toldAt < typingEveryMs) return;
      toldAt = now;
      tellTyping(id);
    };
    document.addEventListener("input", onInput);
    return () => document.removeEventListener("input", onInput);
  }, [id]);
}
