import { defineMessages } from "../../../lib/i18n.ts";

/** Messages of a lead's panel; they come with it. */
export const leadPanelMessages = defineMessages("lead-panel", {
  details: ["Lead details", "Detalles del prospecto"],
  close: ["Close", "Cerrar"],
  next: ["Next lead", "Prospecto siguiente"],
  previous: ["Previous lead", "Prospecto anterior"],
  loading: ["Loading the lead…", "Cargando el prospecto…"],
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
  retry: ["Retry", "Reintentar"],
});
