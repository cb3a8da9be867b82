import { useEffect, useEffectEvent } from "react";
import { createStore, useStore } from "./store.ts";

/** A command for a lead from a shortcut or the search, run in its panel. */
export type LeadCommand = "call" | "text" | "note" | "followUp";

interface AskedCommand {
  leadId: number;
  act: LeadCommand;
  /** By the page's clock, in ms. */
  at: number;
}

/** A command older than this is dropped: the user has moved on. */
const timeoutMs = 5_000;
const asked = createStore<AskedCommand | null>(null);

/** Asks a lead's panel, which may still be loading, to run a command. The command moves the focus; it sends or dials nothing. */
export function askLeadCommand(leadId: number, act: LeadCommand): void {
  asked.set({ leadId, act, at: performance.now() });
}

/** Runs a requested command in this lead's panel once it is mounted. */
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
    if (performance.now() - next.at > timeoutMs) return;
    // After the panel has moved the focus itself.
    requestAnimationFrame(() => run(act));
  }, [act, next]);
}
