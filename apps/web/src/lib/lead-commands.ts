import { useEffect, useEffectEvent } from "react";
import { createStore, useStore } from "./store.ts";

/** What is begun for a lead by a key or from the search, in its panel. */
export type LeadCommand = "call" | "text" | "note" | "followUp";

interface AskedCommand {
  leadId: number;
  act: LeadCommand;
  /** By the page's clock, in ms. */
  at: number;
}

/** Whoever has waited longer for a panel is doing something else by now. */
const patienceMs = 5_000;
const asked = createStore<AskedCommand | null>(null);

/** Asks the panel of a lead, which may still be on its way, to begin something: the focus goes there, nothing is sent or rung. */
export function askLeadCommand(leadId: number, act: LeadCommand): void {
  asked.set({ leadId, act, at: performance.now() });
}

/** Begins what is asked of this lead's panel, as soon as it stands. */
export function useLeadCommand(
  leadId: number,
  acts: readonly LeadCommand[],
  begin: (act: LeadCommand) => void,
): void {
  const next = useStore(asked);
  const run = useEffectEvent(begin);
  const act = next?.leadId === leadId && acts.includes(next.act) ? next.act : null;
  useEffect(() => {
    if (act === null || !next) return;
    asked.set(null);
    if (performance.now() - next.at > patienceMs) return;
    // After the panel has taken the focus itself.
    requestAnimationFrame(() => run(act));
  }, [act, next]);
}
