import { defineTexts } from "../../lib/i18n.ts";

export const selectionTexts = defineTexts("lead-selection", {
  label: ["Selected leads", "Prospectos seleccionados"],
  none: ["Choose the leads to call.", "Elige los prospectos a quienes llamar."],
  count_one: ["{count} selected", "{count} seleccionado"],
  count_other: ["{count} selected", "{count} seleccionados"],
  all: ["Select all shown", "Elegir los visibles"],
  call: ["Call selected", "Llamarlos"],
  cancel: ["Cancel", "Cancelar"],
});
