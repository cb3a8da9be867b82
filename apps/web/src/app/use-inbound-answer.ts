import type { CallOutcome, InboundCall } from "@portal/contract/entities/call";
import type { Lead } from "@portal/contract/entities/lead";
import { useRef, useState } from "react";
import { type LeadPlan, noPlan, planChange } from "../features/telephony/call/call-state.ts";
import { sayPlanSaved, useSaveLeadPlan, useSaveOutcome } from "../features/telephony/call/queries.ts";
import { useClientRef } from "../lib/use-client-ref.ts";

const nothingSaid = {
  chosen: null as CallOutcome | null,
  notes: "",
  plan: noPlan,
  save: "none" as "none" | "pending" | "failed",
  isWarned: false,
};

interface Answered {
  call: InboundCall;
  lead: Lead | undefined;
  /** The call has ended. */
  isOver: boolean;
}

/** State of an inbound call's outcome and notes, and of the follow-up planned for its lead. */
export function useInboundAnswer({ call, lead, isOver }: Answered) {
  const [said, setSaid] = useState(nothingSaid);
  const saveOutcome = useSaveOutcome();
  const savePlan = useSaveLeadPlan();
  const clientRef = useClientRef();
  /** What follows the pending save: closing, or opening the next call if that was asked for meanwhile. Null if none is pending. */
  const afterSave = useRef<(() => void) | null>(null);
  const { chosen, plan, save, isWarned } = said;
  const notes = said.notes.trim();
  const change = planChange(plan, lead);
  const suggested: CallOutcome | null = isOver && call.answeredAt !== null ? "answered" : null;
  const outcome = chosen ?? suggested;
  const add = (part: Partial<typeof nothingSaid>) => setSaid((before) => ({ ...before, ...part }));

  /** Saves the outcome, if any, and the plan; then calls `then`. If saving fails, it does not. */
  async function keep(kept: CallOutcome | null, then: () => void): Promise<void> {
    if (!lead || afterSave.current) return;
    afterSave.current = then;
    add({ save: "pending" });
    const report = { leadId: lead.id, outcome: kept, notes: notes || null, twilioCallSid: call.callSid };
    try {
      if (kept)
        await saveOutcome.mutateAsync({
          ...report,
          leadName: lead.name,
          outcome: kept,
          // The provider reports the duration.
          duration: 0,
          clientRef: clientRef.of(report),
        });
      const planned = change && (await savePlan.mutateAsync({ lead, change }));
      if (planned && !kept) sayPlanSaved(planned);
      setSaid(nothingSaid);
      afterSave.current();
    } catch {
      add({ save: "failed" });
    } finally {
      afterSave.current = null;
    }
  }

  return {
    ...said,
    suggested: chosen === null ? suggested : null,
    outcome,
    hasUnsaved: chosen !== null || notes !== "" || change !== null,
    choose: (next: CallOutcome) => add({ chosen: next, isWarned: false }),
    type: (typed: string) => add({ notes: typed }),
    planLead: (part: Partial<LeadPlan>) => add({ plan: { ...plan, ...part } }),
    /** By the button: the provider's suggested outcome counts as an answer too. */
    submit: (then: () => void) => void (outcome && keep(outcome, then)),
    /**
     * By closing, as with an outbound call: a chosen outcome is saved, notes without an outcome are asked about once, and an outcome that
     * is only suggested by the provider waits under Needs outcome. Returns whether it continues.
     */
    leave(then: () => void): boolean {
      if (afterSave.current) afterSave.current = then;
      // Saved, but not rendered yet.
      else if (save === "pending") then();
      else if (chosen && save !== "failed") void keep(chosen, then);
      else if (notes !== "" && !isWarned) {
        add({ isWarned: true });
        return false;
      } else if (change && save !== "failed") void keep(null, then);
      else then();
      return true;
    },
  };
}
