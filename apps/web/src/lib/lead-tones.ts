import type { LeadStatus } from "@portal/contract/entities/lead";

/** The tone of each lead state, wherever one is shown. */
export const statusTones = {
  new: "info",
  contacted: "warning",
  qualified: "violet",
  interested: "success",
  not_interested: "neutral",
  converted: "primary",
} as const satisfies Record<LeadStatus, string>;
