import { defineTexts } from "../../lib/i18n.ts";

/** Loaded with the list of calls that lack an outcome. */
export const needsOutcomeTexts = defineTexts("needs-outcome", {
  title: ["Needs outcome", "Falta resultado"],
  hint: [
    "How did these calls end? Keys 1 to 6 answer.",
    "¿Cómo terminaron estas llamadas? Responde con las teclas 1 a 6.",
  ],
  count_one: ["{count} call", "{count} llamada"],
  count_other: ["{count} calls", "{count} llamadas"],
  item: ["Call with {name}, {when}", "Llamada con {name}, {when}"],
  talked: ["{time} talked", "{time} hablados"],
  suggested: ["Suggested", "Sugerido"],
  showAll: ["Show all", "Ver todas"],
  showFewer: ["Show fewer", "Ver menos"],
});
