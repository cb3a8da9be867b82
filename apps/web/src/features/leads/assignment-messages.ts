import { defineMessages } from "../../lib/i18n.ts";

/** Messages of assigning leads, loaded with a card's menu. */
export const assignmentMessages = defineMessages("assignment", {
  assignTitle: ["Assign Lead", "Asignar prospecto"],
  transferTitle: ["Transfer Lead", "Transferir prospecto"],
  currentRep: ["{name}, assigned to {rep}", "{name}, asignado a {rep}"],
  salesRep: ["Sales Representative", "Consultor"],
  pickRep: ["Select a sales representative", "Elige un consultor"],
  loadingReps: ["Loading…", "Cargando…"],
  noReps: ["There is no other active consultant.", "No hay otro consultor activo."],
  repsFailed: ["The consultants could not be loaded.", "No se pudieron cargar los consultores."],
  retry: ["Retry", "Reintentar"],
  notes: ["Notes", "Notas"],
  notesPlaceholder: [
    "Why, and what the next consultant should know...",
    "Por qué, y qué debe saber el siguiente consultor...",
  ],
  takeAlong: [
    "Follow-up and meetings travel with the lead",
    "El seguimiento y las reuniones van con el prospecto",
  ],
  takeAlongOn: [
    "The follow-up date and the meetings to come pass to the new consultant.",
    "La fecha de seguimiento y las próximas reuniones pasan al nuevo consultor.",
  ],
  takeAlongOff: [
    "The follow-up date is cleared; the meetings stay where they are.",
    "La fecha de seguimiento se quita; las reuniones se quedan donde están.",
  ],
  cancel: ["Cancel", "Cancelar"],
  assign: ["Assign", "Asignar"],
  assigning: ["Assigning...", "Asignando..."],
  transfer: ["Transfer", "Transferir"],
  transferring: ["Transferring...", "Transfiriendo..."],
  assignedTitle: ["Lead Assigned", "Prospecto asignado"],
  transferredTitle: ["Lead Transferred", "Prospecto transferido"],
  doneText: ["{name} is now with {rep}.", "{name} ahora está con {rep}."],
  missingTitle: ["Missing Information", "Falta información"],
  missingText: ["Please select a sales representative.", "Elige un consultor."],
  failedTitle: ["Error", "Error"],
  failedText: [
    "Failed to assign/transfer lead. Please try again.",
    "No se pudo asignar o transferir el prospecto. Vuelve a intentarlo.",
  ],
});
