import { defineTexts } from "../../lib/i18n.ts";

export const diagnosticsTexts = defineTexts("diagnostics", {
  title: ["GHL Diagnostics", "Diagnóstico de GHL"],
  subtitle: ["State of the connection to Go High Level.", "Estado de la conexión con Go High Level."],
  connection: ["Connection", "Conexión"],
  checking: ["Checking…", "Comprobando…"],
  connected: ["Connected", "Conectado"],
  notConnected: ["Not connected", "Sin conexión"],
  connectedText: ["Connected to GoHighLevel.", "GHL responde."],
  notConnectedText: ["GoHighLevel does not answer.", "GHL no responde o no acepta el acceso."],
  users_one: ["{count} user in GHL", "{count} usuario en GHL"],
  users_other: ["{count} users in GHL", "{count} usuarios en GHL"],
  checkAgain: ["Check again", "Comprobar de nuevo"],
  failed: ["The state could not be read.", "No se pudo leer el estado."],
});
