import { defineTexts } from "../../lib/i18n.ts";

export const noticeTexts = defineTexts("notices", {
  text: ["New text from {name}", "Nuevo mensaje de {name}"],
  textOfFiles: ["It came with files only.", "Solo trae archivos."],
  missedCall: ["Missed call from {name}", "Llamada perdida de {name}"],
  missedCallHint: ["Call back from the call history.", "Devuelve la llamada desde el historial de llamadas."],
});
