import { defineMessages } from "../lib/i18n.ts";

/** Messages of an inbound call's bar and dock. */
export const inboundMessages = defineMessages("inbound-dock", {
  open: ["Open", "Abrir"],
  hide: ["Hide", "Ocultar"],
  ended: ["Call ended", "Llamada terminada"],
  endedOrTaken: ["Call ended, or with a colleague", "Llamada terminada, o con un colega"],
  rangOut: ["No longer ringing", "Ya no suena"],
  strangerHint: [
    "This number belongs to no lead. Add one to save notes, outcome and follow-up.",
    "Este número no es de ningún prospecto. Agrega uno para guardar notas, resultado y seguimiento.",
  ],
  withheldHint: [
    "The caller hides their number. Ask for it to add them as a lead.",
    "Quien llama oculta su número. Pídeselo para agregarlo como prospecto.",
  ],
});
