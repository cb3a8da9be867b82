import { defineMessages } from "../../lib/i18n.ts";

/** What came of a sync: loaded with the first one. */
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
