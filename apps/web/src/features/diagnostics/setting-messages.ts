import { defineMessages } from "../../lib/i18n.ts";

/** Settings of a number and of a Messaging Service at Twilio, by the vendor's names. */
export const settingMessages = defineMessages("telephony-settings", {
  voiceUrl: ["Address for calls", "Dirección para llamadas"],
  voiceMethod: ["Method for calls", "Método para llamadas"],
  voiceFallbackUrl: ["Fallback address for calls", "Dirección de respaldo para llamadas"],
  voiceFallbackMethod: ["Fallback method for calls", "Método de respaldo para llamadas"],
  statusCallback: ["Address for the end of calls", "Dirección para el fin de las llamadas"],
  statusCallbackMethod: ["Method for the end of calls", "Método para el fin de las llamadas"],
  smsUrl: ["Address for texts", "Dirección para SMS"],
  smsMethod: ["Method for texts", "Método para SMS"],
  voiceApplicationSid: ["Application that takes the calls", "Aplicación que recibe las llamadas"],
  smsApplicationSid: ["Application that takes the texts", "Aplicación que recibe los SMS"],
  trunkSid: ["Trunk that takes the calls", "Enlace troncal que recibe las llamadas"],
  inboundRequestUrl: ["Address for inbound texts", "Dirección para SMS entrantes"],
  inboundMethod: ["Method for inbound texts", "Método para SMS entrantes"],
  useInboundWebhookOnNumber: ["Each number's own address first", "Primero la dirección de cada número"],
});

/** Whether a setting has a label. */
export const isSetting = (field: string): field is keyof typeof settingMessages.pairs =>
  Object.hasOwn(settingMessages.pairs, field);
