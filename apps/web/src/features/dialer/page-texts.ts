import { defineTexts } from "../../lib/i18n.ts";

export const dialerPageTexts = defineTexts("auto-dialer-page", {
  title: ["Auto Dialer", "Marcador automático"],
  session: ["Calling session", "Sesión de llamadas"],
  notes: ["Before you start", "Antes de empezar"],
  notePhoneBefore: ["Set a phone number in", "Primero agrega un número de teléfono en"],
  notePhoneAfter: [" first.", "."],
  noteSequence: [
    "Leads assigned to you are called in sequence.",
    "Se llama en orden a los prospectos asignados a ti.",
  ],
  notePause: ["You can pause and resume at any time.", "Puedes pausar y reanudar cuando quieras."],
  noteLogs: ["All call logs are recorded.", "Se guardan todos los registros de llamadas."],
  settings: ["Settings", "Configuración"],
});
