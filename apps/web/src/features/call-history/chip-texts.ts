import { defineTexts } from "../../lib/i18n.ts";

/** The filters of the call history that reports open. */
export const historyChipTexts = defineTexts("call-history-chips", {
  label: ["More filters", "Más filtros"],
  days: ["{from} – {to}", "{from} – {to}"],
  slot: ["{weekday} {from}–{to}", "{weekday} {from}–{to}"],
  hours: ["{from}–{to}", "{from}–{to}"],
  rep: ["Consultant: {name}", "Consultor: {name}"],
  repNumber: ["Consultant #{id}", "Consultor #{id}"],
  outbound: ["Outbound", "Salientes"],
  inbound: ["Inbound", "Entrantes"],
});
