import { currentLanguage, defineMessages, messagesOf } from "../../lib/i18n.ts";

export const overviewMessages = defineMessages("integrations-overview", {
  ghlTitle: ["Go High Level", "Go High Level"],
  ghlText: [
    "Contacts come in as leads; status, priority, notes and follow-ups go back.",
    "Los contactos llegan como prospectos; estado, prioridad, notas y seguimientos regresan.",
  ],
  connected: ["Connected", "Conectado"],
  notConnected: ["Not connected", "Sin conexión"],
  checking: ["Checking…", "Comprobando…"],
  connectedText: ["Connected to GoHighLevel.", "GHL responde."],
  notConnectedText: ["GoHighLevel does not answer.", "GHL no responde o no acepta el acceso."],
  statusFailed: ["The state could not be read.", "No se pudo leer el estado."],
  users_one: ["{count} user in GHL", "{count} usuario en GHL"],
  users_other: ["{count} users in GHL", "{count} usuarios en GHL"],
  adminOnly: [
    "Only administrators can sync all contacts.",
    "Solo los administradores pueden sincronizar todos los contactos.",
  ],
  diagnostics: ["Diagnostics", "Diagnóstico"],

  runsTitle: ["Last syncs", "Últimas sincronizaciones"],
  runsText: [
    "What changed in GHL is taken in every 5 minutes.",
    "Lo que cambia en GHL se recibe cada 5 minutos.",
  ],
  runsFailed: ["The last syncs could not be read.", "No se pudieron leer las últimas sincronizaciones."],
  noRuns: ["No sync yet.", "Aún no hay sincronizaciones."],
  assigned: ["Consultants' contacts", "Contactos de los consultores"],
  all: ["All contacts", "Todos los contactos"],
  changes: ["Changes", "Cambios"],
  recordings: ["AI recordings", "Grabaciones de IA"],
  running: ["Running", "En curso"],
  done: ["Done", "Terminada"],
  failed: ["Failed", "Falló"],
  held: ["Waits for a decision", "Espera una decisión"],
  bySchedule: ["by schedule", "automática"],
  byName: ["by {name}", "por {name}"],
  contacts_one: ["{n} contact", "{n} contacto"],
  contacts_other: ["{n} contacts", "{n} contactos"],
  recordingsFound_one: ["{n} recording", "{n} grabación"],
  recordingsFound_other: ["{n} recordings", "{n} grabaciones"],
  created: ["{count} new", "nuevos: {count}"],
  changed: ["{count} changed", "con cambios: {count}"],
  gone: ["{count} gone from GHL", "ya no están en GHL: {count}"],
  issuesText: [
    "They could not be taken in whole. The reasons:",
    "No se pudieron recibir completos. Los motivos:",
  ],
  issues_one: ["{count} contact had sync issues", "{count} contacto tuvo problemas de sincronización"],
  issues_other: [
    "{count} contacts had sync issues",
    "{count} contactos tuvieron problemas de sincronización",
  ],

  outboxTitle: ["On the way to GHL", "En camino a GHL"],
  outboxText: [
    "Changes made here, until GHL has confirmed them.",
    "Cambios hechos aquí, hasta que GHL los confirme.",
  ],
  outboxFailed: ["The state of the changes could not be read.", "No se pudo leer el estado de los cambios."],
  pending: ["Waiting", "En espera"],
  pendingSince: ["oldest {when}", "el más antiguo {when}"],
  refused: ["Failed", "Con error"],
  sentToday: ["Confirmed in 24 hours", "Confirmados en 24 horas"],
  retry: ["Retry", "Reintentar"],
  retryOf: ["Retry: {field} of {name}", "Reintentar: {field} de {name}"],
  retryAll: ["Retry all", "Reintentar todo"],
  attempts_one: ["{count} attempt", "{count} intento"],
  attempts_other: ["{count} attempts", "{count} intentos"],
  retriedTitle: ["Sent again", "Enviado de nuevo"],
  retriedText_one: ["{count} change is on its way to GHL.", "{count} cambio va camino a GHL."],
  retriedText_other: ["{count} changes are on their way to GHL.", "{count} cambios van camino a GHL."],
  retryFailedTitle: ["Retry failed", "No se pudo reintentar"],

  rejects_one: [
    "{count} record from GHL could not be taken in",
    "{count} registro de GHL no se pudo recibir",
  ],
  rejects_other: [
    "{count} records from GHL could not be taken in",
    "{count} registros de GHL no se pudieron recibir",
  ],
  rejectsText: [
    "They are kept, and taken in as soon as they can be read.",
    "Se conservan y se reciben en cuanto se puedan leer.",
  ],
  withoutId: ["without an id", "sin id"],

  featuresTitle: ["Ways in", "Formas de recibir prospectos"],
  importTitle: ["Data Import", "Importar datos"],
  importText: [
    "CSV up to 10 MB or JSON, with a preview before anything is written.",
    "CSV de hasta 10 MB o JSON, con vista previa antes de escribir nada.",
  ],
  importAction: ["Import leads", "Importar prospectos"],
  webhooksTitle: ["Webhooks", "Webhooks"],
  webhooksText: [
    "Salesforce, HubSpot, Pipedrive or any other system sends leads the moment they arise.",
    "Salesforce, HubSpot, Pipedrive o cualquier otro sistema envía prospectos en cuanto surgen.",
  ],
  webhooksAction: ["Set up webhooks", "Configurar webhooks"],
  apiTitle: ["API Docs", "Documentación de la API"],
  apiText: [
    "Every endpoint with its fields and an example to copy.",
    "Cada dirección con sus campos y un ejemplo para copiar.",
  ],
  apiAction: ["Read the docs", "Leer la documentación"],

  quickStartTitle: ["Quick start", "Inicio rápido"],
  step1Title: ["Bring leads in", "Trae prospectos"],
  step1Text: [
    "Sync Go High Level, import a file, or give a system the address of its webhook.",
    "Sincroniza Go High Level, importa un archivo o da a un sistema la dirección de su webhook.",
  ],
  step2Title: ["Try it", "Pruébalo"],
  step2Text: [
    "Send a sample under Webhooks and see the answer. No lead is made of it.",
    "Envía un ejemplo en Webhooks y mira la respuesta. No crea ningún prospecto.",
  ],
  step3Title: ["Work your leads", "Trabaja tus prospectos"],
  step3Text: [
    "New leads stand on the dashboard, ready to be called.",
    "Los prospectos nuevos aparecen en el panel, listos para llamar.",
  ],
  step3Action: ["Open the dashboard", "Abrir el panel"],
});

/** Deletions that wait for an administrator's decision. */
export const heldMessages = defineMessages("crm-held-deletions", {
  title: ["Were these contacts really deleted in GHL?", "¿De verdad se eliminaron estos contactos en GHL?"],
  text: [
    "The full read of {when} stopped: far too many contacts no longer exist. No lead was marked. A wrong location id looks the same: check it first.",
    "La lectura completa del {when} se detuvo: demasiados contactos ya no existen. No se marcó ningún prospecto. Un id de ubicación equivocado se ve igual: compruébalo primero.",
  ],
  leads: ["Leads with a contact in GHL", "Prospectos con contacto en GHL"],
  missing: ["Not in the list that GHL sent", "No están en la lista que envió GHL"],
  asked: ["Asked for one by one so far", "Buscados uno por uno hasta ahora"],
  deleted: ["Of these, deleted", "De estos, eliminados"],
  examples: ["Among them: {names}", "Entre ellos: {names}"],
  mark: ["Mark them", "Marcarlos"],
  markText: [
    "All missing contacts are asked for again. Leads of those that do not exist are marked and are no longer called or texted; their history stays.",
    "Se buscan de nuevo todos los contactos que faltan. Los prospectos de los que no existan se marcan y ya no se les llama ni se les escribe; su historial se conserva.",
  ],
  leave: ["Leave them", "Dejarlos"],
  leaveText: [
    "All leads whose contact is missing stay as they are and can be called, until GHL lists their contact again.",
    "Todos los prospectos cuyo contacto falta se quedan como están y se les puede llamar, hasta que GHL vuelva a listar su contacto.",
  ],
  marking: ["Asking for the missing contacts again", "Buscando de nuevo los contactos que faltan"],
  left: ["The leads stay as they are", "Los prospectos se quedan como están"],
  failedTitle: ["Nothing was decided", "No se decidió nada"],
});

export const changeFieldMessages = defineMessages("crm-change-fields", {
  name: ["Name", "Nombre"],
  status: ["Status", "Estado"],
  priority: ["Priority", "Prioridad"],
  notes: ["Notes", "Notas"],
  nextFollowUpDate: ["Follow-up date", "Fecha de seguimiento"],
  nextFollowUpTime: ["Follow-up time", "Hora de seguimiento"],
  assignedTo: ["Consultant", "Consultor"],
  textsBlocked: ["Do not text", "No enviar mensajes"],
  callsBlocked: ["Do not call", "No llamar"],
  conversion: ["Conversion", "Conversión"],
});

const reasonMessages = defineMessages("crm-reasons", {
  connect: ["GoHighLevel must be connected again.", "Hay que conectar GHL de nuevo."],
  appRefused: [
    "GoHighLevel does not take the app's id or secret.",
    "GHL no acepta el id o el secreto de la app.",
  ],
  unconnected: ["GoHighLevel is not connected yet.", "GHL aún no está conectado."],
  key: ["GoHighLevel refused the key ({code}).", "GHL rechazó la clave ({code})."],
  scope: ["GoHighLevel does not allow this to the key.", "GHL no permite esto a la clave."],
  busy: ["GoHighLevel allows no more requests for now.", "GHL no admite más solicitudes por ahora."],
  gone: ["GoHighLevel does not have this record.", "GHL no tiene este registro."],
  broken: ["GoHighLevel failed ({code}).", "GHL falló ({code})."],
  refused: ["GoHighLevel refused the request ({code}).", "GHL rechazó la solicitud ({code})."],
  silent: ["GoHighLevel did not answer.", "GHL no respondió."],
  unreadable: [
    "GoHighLevel sent an answer that cannot be read.",
    "GHL envió una respuesta que no se puede leer.",
  ],
  location: [
    "GoHighLevel does not know this location, or not by this key.",
    "GHL no conoce esta ubicación, o no con esta clave: mira GHL_LOCATION_ID.",
  ],
  dropped: ["GoHighLevel did not keep the change.", "GHL no guardó el cambio."],
  deleted: ["The contact was deleted in GoHighLevel.", "El contacto fue eliminado en GHL."],
  stranger: ["This consultant is not a user of GoHighLevel.", "Este consultor no es usuario de GHL."],
  ours: ["Something went wrong on our side.", "Algo falló de nuestro lado."],
});

/** Beginnings of the server's messages about failures of the CRM (adapters/gohighlevel/errors). */
const beginnings = [
  [/^GoHighLevel must be connected again/, "connect"],
  [/^GoHighLevel does not take the app/, "appRefused"],
  [/^GoHighLevel is not connected yet/, "unconnected"],
  [/^GoHighLevel refused the key \((\d+)\)/, "key"],
  [/^GoHighLevel does not allow this/, "scope"],
  [/^GoHighLevel (?:is busy|allows no more)/, "busy"],
  [/^GoHighLevel does not have this record/, "gone"],
  [/^GoHighLevel failed \((\d+)\)/, "broken"],
  [/^GoHighLevel refused the request \((\d+)\)/, "refused"],
  [/^GoHighLevel (?:did not answer|is not answering)/, "silent"],
  [/^GoHighLevel sent an answer/, "unreadable"],
  [/^GoHighLevel does not know this location/, "location"],
  [/^GoHighLevel did not keep/, "dropped"],
  [/^The contact was deleted/, "deleted"],
  [/^This consultant is not a user/, "stranger"],
  [/^Something went wrong on our side/, "ours"],
] as const;

/** Why something failed at the CRM: the server's English message, in Spanish a translation if its beginning is known. */
export function crmReason(said: string): string {
  if (currentLanguage() === "en") return said;
  const t = messagesOf(reasonMessages);
  for (const [pattern, key] of beginnings) {
    const match = pattern.exec(said);
    if (match) return t(key as "key", { code: match[1] ?? "" });
  }
  return said;
}

export const integrationsMessages = defineMessages("integrations", {
  title: ["Integrations", "Integraciones"],
  subtitle: [
    "Bring leads in from other systems and keep Go High Level in step.",
    "Trae prospectos de otros sistemas y mantén Go High Level al día.",
  ],
  tabs: ["Parts of the integrations", "Partes de las integraciones"],
  overviewTab: ["Overview", "Resumen"],
  importTab: ["Data Import", "Importar datos"],
  webhooksTab: ["Webhooks", "Webhooks"],
  apiTab: ["API Docs", "Documentación de la API"],
});
