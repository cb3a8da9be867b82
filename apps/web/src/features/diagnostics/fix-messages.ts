import { defineMessages } from "../../lib/i18n.ts";

export const fixMessages = defineMessages("diagnostics-fix", {
  title: ["Fix at Twilio", "Corregir en Twilio"],
  description: [
    "Only the system number and the Messaging Service of this portal are changed, as shown.",
    "Solo se cambian el número del sistema y el Messaging Service de este portal, como se muestra.",
  ],
  number: ["System number", "Número del sistema"],
  service: ["Messaging Service", "Messaging Service"],
  old: ["Now:", "Ahora:"],
  new: ["Then:", "Después:"],
  none: ["nothing", "nada"],
  nothing: ["Nothing to fix.", "No hay nada que corregir."],
  cancel: ["Cancel", "Cancelar"],
  confirm: ["Fix", "Corregir"],
  done: ["Settings fixed: {count}", "Configuraciones corregidas: {count}"],
  failed: ["Not fixed", "Sin corregir"],
  failedText: ["Look again in a moment.", "Vuelve a mirar en un momento."],
});
