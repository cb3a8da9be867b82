import { defineTexts } from "../../lib/i18n.ts";

/** Texts of a lead that is looked at from a list of everybody's. */
export const leadDetailsTexts = defineTexts("lead-details", {
  details: ["Lead details", "Detalles del prospecto"],
  detailsHint: ["What is known, and what happened.", "Lo que se sabe y lo que ha pasado."],
  history: ["History", "Historial"],
  theirs: [
    "{name} has this lead: calls, texts and history are theirs and the administrators'.",
    "{name} tiene este prospecto: solo esa persona y los administradores ven sus llamadas, mensajes e historial.",
  ],
  nobodys: [
    "Nobody has this lead yet. Assign it to call and text.",
    "Nadie tiene este prospecto todavía. Asígnalo para llamar y enviar mensajes.",
  ],
  notes: ["Notes", "Notas"],
  source: ["Source", "Origen"],
  industry: ["Industry", "Sector"],
  phone: ["Phone", "Teléfono"],
  email: ["Email", "Correo"],
  assign: ["Assign", "Asignar"],
  company: ["Company", "Empresa"],
  assignedTo: ["Assigned To", "Asignado a"],
  created: ["Created", "Creado"],
  assignmentDate: ["Assignment Date", "Fecha de asignación"],
  notAvailable: ["N/A", "N/D"],
  unassigned: ["Unassigned", "Sin asignar"],
  notAssigned: ["Not assigned", "No asignado"],
  noEmail: ["No email", "Sin correo"],
  noPhone: ["No phone", "Sin teléfono"],
  loadFailed: ["The lead could not be loaded.", "No se pudo cargar el prospecto."],
});
