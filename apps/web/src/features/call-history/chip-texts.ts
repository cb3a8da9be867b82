import { defineTexts } from "../../lib/i18n.ts";

/** The filters of the call history that reports open. */
export const historyChipTexts = defineTexts("call-history-chips", {
  label: ["More filters", "Más filtros"],
  days: ["{from} – {to}", "{from} – {to}"],
  slot: ["{weekday} {from}–{to}", "{weekday} {from}–{to}"],
  hours: ["{from}–{to}", "{from}–{to}"],
  anybody: ["anybody", "cualquiera"],
  rep: ["Consultant: {name}", "Consultor: {name}"],
  repNumber: ["Consultant #{id}", "Consultor #{id}"],
  owner: ["Leads of {name}", "Prospectos de {name}"],
  ownerNumber: ["Leads of consultant #{id}", "Prospectos del consultor #{id}"],
  leadStatus: ["Lead status: {status}", "Estado del prospecto: {status}"],
  outbound: ["Outbound", "Salientes"],
  inbound: ["Inbound", "Entrantes"],
});
