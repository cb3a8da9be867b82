import { defineTexts } from "../../lib/i18n.ts";

export const summaryTexts = defineTexts("dialer-summary", {
  title: ["What the session came to", "Resultado de la sesión"],
  loading: ["Adding up…", "Calculando…"],
  failed: ["The figures are not available.", "Las cifras no están disponibles."],
  retry: ["Try again", "Reintentar"],
  dialled: ["Dialled", "Marcados"],
  reached: ["Reached", "Contactados"],
  talkTime: ["Talk time", "Tiempo de conversación"],
  perHour: ["Calls per hour", "Llamadas por hora"],
  noFigure: ["—", "—"],
  ofTotal: ["of {total}", "de {total}"],
  outcomes: ["Outcomes", "Resultados"],
  noOutcome: ["No outcome yet", "Aún sin resultado"],
  skipped: ["Skipped", "Omitidos"],
  failedLeads: ["Could not be called", "No se pudo llamar"],
  remaining_one: ["{count} lead was left when you stopped.", "Quedó {count} prospecto al detener la sesión."],
  remaining_other: [
    "{count} leads were left when you stopped.",
    "Quedaron {count} prospectos al detener la sesión.",
  ],
  close: ["Close", "Cerrar"],
});
