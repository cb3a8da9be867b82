import { defineMessages } from "../../lib/i18n.ts";

/** Messages of buttons on pages; those of the dialogs are loaded with them. */
export const smsButtonMessages = defineMessages("sms-buttons", {
  sendSms: ["Send SMS", "Enviar SMS"],
  unread_one: ["{count} unread text", "{count} mensaje sin leer"],
  unread_other: ["{count} unread texts", "{count} mensajes sin leer"],
  inbox: ["Unknown numbers", "Números desconocidos"],
  waiting_one: ["{count} text waiting", "{count} mensaje espera"],
  waiting_other: ["{count} texts waiting", "{count} mensajes esperan"],
});
