import { defineMessages } from "../../lib/i18n.ts";

/** Labels of the buttons that open New Lead. */
export const newLeadButtonMessages = defineMessages("new-lead-button", {
  newLead: ["New Lead", "Nuevo prospecto"],
  newLeadFor: ["New lead with {number}", "Nuevo prospecto con el {number}"],
});

export const newLeadMessages = defineMessages("new-lead", {
  title: ["New Lead", "Nuevo prospecto"],
  hint: ["A phone number or an email is enough.", "Basta con un teléfono o un correo electrónico."],
  firstName: ["First name", "Nombre"],
  lastName: ["Last name", "Apellidos"],
  phone: ["Phone", "Teléfono"],
  email: ["Email", "Correo electrónico"],
  company: ["Company", "Empresa"],
  source: ["Source", "Origen"],
  sourcePlaceholder: ["Referral, fair, website...", "Recomendación, feria, sitio web..."],
  priority: ["Priority", "Prioridad"],
  salesRep: ["Sales Representative", "Consultor"],
  nobody: ["Nobody yet", "Nadie todavía"],
  notes: ["Notes", "Notas"],
  cancel: ["Cancel", "Cancelar"],
  add: ["Add Lead", "Agregar"],
  adding: ["Adding...", "Agregando..."],
  missing: ["Enter a phone number or an email.", "Escribe un teléfono o un correo electrónico."],
  knownTitle: ["Already a lead", "Ya es prospecto"],
  byPhone: ["same phone number", "mismo teléfono"],
  byEmail: ["same email", "mismo correo"],
  byBoth: ["same phone number and email", "mismo teléfono y correo"],
  withRep: ["with {name}", "con {name}"],
  unassigned: ["Unassigned", "Sin asignar"],
  sharesNumber: ["Another person with this number", "Otra persona con este número"],
  addedTitle: ["Lead Added", "Prospecto agregado"],
  addedText: ["{name} is in your list.", "{name} está en tu lista."],
  addedTextEveryone: ["{name} is in All Leads.", "{name} está en Todos los prospectos."],
  failed: ["The lead could not be added.", "No se pudo agregar el prospecto."],
});
