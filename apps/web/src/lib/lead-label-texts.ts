import { defineTexts } from "./i18n.ts";

/** Names of a lead's states and priorities, wherever one is shown. */
export const leadLabelTexts = defineTexts("lead-labels", {
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
