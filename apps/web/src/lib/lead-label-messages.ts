import type { LeadStatus } from "@portal/contract/entities/lead";
import { defineMessages } from "./i18n.ts";

/** Tones of lead statuses. */
export const statusTones = {
  new: "info",
  contacted: "warning",
  qualified: "violet",
  interested: "success",
  not_interested: "neutral",
  converted: "primary",
} as const satisfies Record<LeadStatus, string>;

/** Names of lead statuses and priorities. */
export const leadLabelMessages = defineMessages("lead-labels", {
  new: ["New", "Nuevo"],
  contacted: ["Contacted", "Contactado"],
  qualified: ["Qualified", "Calificado"],
  interested: ["Interested", "Interesado"],
  not_interested: ["Not Interested", "No interesado"],
  converted: ["Converted", "Convertido"],
  high: ["High", "Alta"],
  medium: ["Medium", "Media"],
  low: ["Low", "Baja"],
  status: ["Status", "Estado"],
  priority: ["Priority", "Prioridad"],
  highPriority: ["High priority", "Prioridad alta"],
  mediumPriority: ["Medium priority", "Prioridad media"],
  lowPriority: ["Low priority", "Prioridad baja"],
});
