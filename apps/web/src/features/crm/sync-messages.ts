import type { SyncFault, SyncFaultCode } from "@portal/contract/sync-faults";
import { defineMessages, messagesOf } from "../../lib/i18n.ts";

/** Results of a sync, loaded with the first one. */
export const syncResultMessages = defineMessages("crm-sync-results", {
  completeTitle: ["Sync Complete", "Sincronización completa"],
  completeText_one: ["{count} lead synced.", "{count} prospecto sincronizado."],
  completeText_other: ["{count} leads synced.", "{count} prospectos sincronizados."],
  completeTeam_one: [
    "{count} lead of all consultants synced.",
    "{count} prospecto de todos los consultores sincronizado.",
  ],
  completeTeam_other: [
    "{count} leads of all consultants synced.",
    "{count} prospectos de todos los consultores sincronizados.",
  ],
  running: ["Still at work. It goes on in the background.", "La sincronización sigue en segundo plano."],
  failedTitle: ["Sync Failed", "Error de sincronización"],
  failedText: ["Failed to sync leads from GHL", "No se pudieron sincronizar los prospectos de GHL"],
  issuesTitle: ["Sync Issues", "Problemas de sincronización"],
  leadIssues_one: ["{count} lead had sync issues", "{count} prospecto tuvo problemas de sincronización"],
  leadIssues_other: [
    "{count} leads had sync issues",
    "{count} prospectos tuvieron problemas de sincronización",
  ],
  contactIssues_one: ["{count} contact had sync issues", "{count} contacto tuvo problemas de sincronización"],
  contactIssues_other: [
    "{count} contacts had sync issues",
    "{count} contactos tuvieron problemas de sincronización",
  ],
  progress: ["Sync under way: {count} so far", "Sincronización en curso: {count} hasta ahora"],
  dismiss: ["Dismiss", "Descartar"],
});

const syncFaultMessages = defineMessages("crm-sync-faults", {
  not_connected: ["GoHighLevel is not connected yet.", "GHL aún no está conectado."],
  connect_again: ["GoHighLevel must be connected again.", "Hay que conectar GHL de nuevo."],
  app_refused: [
    "GoHighLevel does not take the app's id or secret.",
    "GHL no acepta el id o el secreto de la app.",
  ],
  key_refused: ["GoHighLevel refused the key ({status}).", "GHL rechazó la clave ({status})."],
  not_allowed: [
    "GoHighLevel does not allow this to the key ({status}).",
    "GHL no permite esto a la clave ({status}).",
  ],
  location_unknown: [
    "GoHighLevel does not know this location, or not by this key: see GHL_LOCATION_ID.",
    "GHL no conoce esta ubicación, o no con esta clave: mira GHL_LOCATION_ID.",
  ],
  busy: ["GoHighLevel allows no more requests for now.", "GHL no admite más solicitudes por ahora."],
  silent: ["GoHighLevel did not answer.", "GHL no respondió."],
  broken: ["GoHighLevel failed ({status}).", "GHL falló ({status})."],
  refused: ["GoHighLevel refused the request ({status}).", "GHL rechazó la solicitud ({status})."],
  unreadable: [
    "GoHighLevel sent an answer that cannot be read.",
    "GHL envió una respuesta que no se puede leer.",
  ],
  ours: ["Something went wrong on our side during the sync.", "Algo falló de nuestro lado al sincronizar."],
  held: [
    "Many contacts no longer exist in GoHighLevel. Nothing was marked: an administrator decides.",
    "Muchos contactos ya no existen en GHL. No se marcó nada: decide un administrador.",
  ],
  replaced: [
    "Nothing was decided about the missing contacts; a new sync has read them again.",
    "No se decidió nada sobre los contactos que faltan; otra sincronización los leyó de nuevo.",
  ],
} satisfies Record<SyncFaultCode, readonly [string, string]>);

/** Why a run failed, in the user's language. */
export function syncFaultText({ code, status }: SyncFault): string {
  // All texts accept the status; only some show it.
  const say = messagesOf(syncFaultMessages) as (code: SyncFaultCode, values: { status: string }) => string;
  return say(code, { status: String(status ?? "–") });
}
