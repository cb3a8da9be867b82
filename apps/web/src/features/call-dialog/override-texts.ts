import { defineTexts } from "../../lib/i18n.ts";

/** An administrator's way past a refusal (design §6, May I contact?). */
export const overrideTexts = defineTexts("contact-override", {
  call_title: ["Call {name} anyway?", "¿Llamar a {name} de todos modos?"],
  text_title: ["Text {name} anyway?", "¿Escribir a {name} de todos modos?"],
  call_confirm: ["Call", "Llamar"],
  text_confirm: ["Text", "Escribir"],
  reason: ["Reason", "Motivo"],
  reasonHint: ["Kept in the audit, with your name.", "Queda en el registro de auditoría, con tu nombre."],
  cancel: ["Cancel", "Cancelar"],
});
