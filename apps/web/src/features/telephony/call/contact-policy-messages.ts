import { defineMessages } from "../../../lib/i18n.ts";

/** Messages of consents to be contacted, which some markets require. */
export const consentMessages = defineMessages("consent", {
  record_title: ["Consent of {name}", "Consentimiento de {name}"],
  record_hint: [
    "Record it only if they agreed to be contacted. It counts from now on.",
    "Regístralo solo si aceptó ser contactado. Cuenta desde ahora.",
  ],
  source: ["How was it given?", "¿Cómo lo dio?"],
  sourcePlaceholder: [
    "Web form of March 12, signed contract, on the phone…",
    "Formulario web del 12 de marzo, contrato firmado, por teléfono…",
  ],
  sourceHint: [
    "Kept on the lead and in the audit, with your name.",
    "Queda en el prospecto y en el registro de auditoría, con tu nombre.",
  ],
  record_confirm: ["Record consent", "Registrar consentimiento"],
  withdraw_title: ["Withdraw the consent of {name}?", "¿Retirar el consentimiento de {name}?"],
  withdraw_hint: [
    "No call and no text until a new consent is recorded.",
    "Ninguna llamada ni mensaje hasta que se registre uno nuevo.",
  ],
  withdraw_confirm: ["Withdraw consent", "Retirar consentimiento"],
  cancel: ["Cancel", "Cancelar"],
  given: ["Consent {date}: {source}", "Consentimiento {date}: {source}"],
  withdraw: ["Withdraw…", "Retirar…"],
  record_done: ["Consent Recorded", "Consentimiento registrado"],
  withdraw_done: ["Consent Withdrawn", "Consentimiento retirado"],
  record_doneText: ["{name} may be contacted now.", "Ya se puede contactar a {name}."],
  withdraw_doneText: ["{name} is not contacted any more.", "Ya no se contactará a {name}."],
  failedTitle: ["Error", "Error"],
  failedText: ["The consent could not be saved.", "No se pudo guardar el consentimiento."],
});

/** Messages of an administrator's override. */
export const overrideMessages = defineMessages("contact-override", {
  call_title: ["Call {name} anyway?", "¿Llamar a {name} de todos modos?"],
  text_title: ["Text {name} anyway?", "¿Escribir a {name} de todos modos?"],
  call_confirm: ["Call", "Llamar"],
  text_confirm: ["Text", "Escribir"],
  reason: ["Reason", "Motivo"],
  reasonHint: ["Kept in the audit, with your name.", "Queda en el registro de auditoría, con tu nombre."],
  cancel: ["Cancel", "Cancelar"],
});
