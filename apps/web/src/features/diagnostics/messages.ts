import { defineMessages } from "../../lib/i18n.ts";

export const diagnosticsMessages = defineMessages("diagnostics", {
  title: ["Diagnostics", "Diagnóstico"],
  subtitle: [
    "Every integration, looked at now, with what to do about it.",
    "Cada integración, revisada ahora, y qué hacer al respecto.",
  ],
  goLive: ["Go-live checklist", "Lista para salir en vivo"],
  integrations: ["Integrations", "Integraciones"],
  checkAll: ["Check all again", "Revisar todo de nuevo"],
  check: ["Check {integration} again", "Revisar {integration} de nuevo"],
  checking: ["Checking…", "Revisando…"],
  checkedAt: ["Checked at {time}", "Revisado a las {time}"],
  failed: ["This could not be looked at.", "No se pudo revisar."],
  tellAdmin: ["Tell an administrator.", "Avisa a un administrador."],
  details: ["Technical details", "Detalles técnicos"],

  ghl: ["Go High Level", "Go High Level"],
  twilio: ["Twilio", "Twilio"],
  webhooks: ["Webhooks and imports", "Webhooks e importaciones"],
  google: ["Google Calendar", "Google Calendar"],
  email: ["E-mail", "Correo electrónico"],

  ok: ["OK", "Bien"],
  off: ["Off", "Sin uso"],
  warn: ["Warning", "Atención"],
  fail: ["Problem", "Problema"],

  credentials: ["Access", "Acceso"],
  rateLimit: ["Rate limit", "Límite de solicitudes"],
  reachability: ["Way in for webhooks", "Entrada de webhooks"],
  visitors: ["Addresses of visitors", "Direcciones de los visitantes"],
  numberWebhooks: ["Webhooks of the system number", "Webhooks del número del sistema"],
  numberFallback: ["When the portal does not answer: callers", "Si el portal no responde: quienes llaman"],
  callFallback: ["When the portal does not answer: our calls", "Si el portal no responde: nuestras llamadas"],
  messagingService: ["Messaging Service", "Messaging Service"],
  fix: ["Fix…", "Corregir…"],
  lastEvent: ["Last event", "Último evento"],
  queue: ["Queue", "Cola"],
  lastSync: ["Last sync", "Última sincronización"],
  reports: ["Reported calls", "Llamadas informadas"],
  outbox: ["Changes on their way", "Cambios en camino"],
});
