import type { Lead } from "@portal/contract/entities/lead";
import { followUpChange, followUpOf } from "../../../lib/follow-up.ts";
import type { LeadPlan } from "./call-state.ts";

/** What a plan changes of its lead; null where nothing. */
export function planChange(plan: LeadPlan, lead: Lead | undefined) {
  if (!lead) return null;
  const change = {
    ...(plan.status !== null && plan.status !== lead.status && { status: plan.status }),
    ...followUpChange(plan.followUp, followUpOf(lead)),
  };
  return Object.keys(change).length > 0 ? change : null;
}
