import { defineMessages } from "../../lib/i18n.ts";

/** Messages of the lead dialogs, separate from the page's because they are loaded with the first dialog. */
export const leadDialogMessages = defineMessages("lead-dialogs", {
  editNameTitle: ["Edit Lead Name", "Editar nombre del prospecto"],
  editNameHint: ["The new name is sent to GHL as well.", "El nuevo nombre también se envía a GHL."],
  name: ["Name", "Nombre"],
  save: ["Save", "Guardar"],
  saving: ["Saving...", "Guardando..."],
  cancel: ["Cancel", "Cancelar"],
  nameInvalidTitle: ["Nombre Inválido", "Nombre inválido"],
  nameInvalidText: ["Por favor ingrese un nombre válido", "Escribe un nombre válido"],
  nameUpdatedTitle: ["Nombre Actualizado", "Nombre actualizado"],
  nameUpdatedSynced: [
    "El nombre del lead se actualizó y se sincronizó con GHL.",
    "El nombre del prospecto se actualizó y se sincronizó con GHL.",
  ],
  nameUpdatedQueued: [
    "El nombre del lead se actualizó. La sincronización con GHL está pendiente.",
    "El nombre del prospecto se actualizó. La sincronización con GHL está pendiente.",
  ],
  nameFailedTitle: ["Error al Actualizar", "Error al actualizar"],
  nameFailedText: [
    "No se pudo actualizar el nombre del lead",
    "No se pudo actualizar el nombre del prospecto",
  ],
  sessionTitle: ["Sesión Expirada", "Sesión expirada"],
  sessionReload: [
    "Tu sesión ha expirado. Por favor recarga la página e inicia sesión nuevamente.",
    "Tu sesión ha expirado. Por favor recarga la página e inicia sesión nuevamente.",
  ],
  sessionRedirect: [
    "Tu sesión ha expirado. Por favor, inicia sesión nuevamente.",
    "Tu sesión ha expirado. Por favor, inicia sesión nuevamente.",
  ],
  updateTitle: ["Update Lead Status", "Actualizar estado del prospecto"],
  convertedHint: ["Converted leads keep their status.", "Los prospectos convertidos conservan su estado."],
  notes: ["Notes", "Notas"],
  notesAdded: [
    "Added meanwhile, and saved with yours: {text}",
    "Se agregó mientras tanto y se guarda con lo tuyo: {text}",
  ],
  notesChanged: [
    "Changed meanwhile. Yours take the place of: {text}",
    "Cambió mientras tanto. Lo tuyo sustituye a: {text}",
  ],
  notesPlaceholder: ["Add notes about this lead...", "Agrega notas sobre este prospecto..."],
  followUp: ["Next Follow-up Date", "Fecha del próximo seguimiento"],
  pickDate: ["Pick a date", "Elige una fecha"],
  clearDate: ["Clear date", "Quitar fecha"],
  calendar: ["Calendar", "Calendario"],
  update: ["Update Lead", "Actualizar prospecto"],
  updating: ["Updating...", "Actualizando..."],
  updatedTitle: ["Lead Updated", "Prospecto actualizado"],
  updatedText: ["The lead was updated successfully.", "El prospecto se actualizó correctamente."],
  updateFailedTitle: ["Error al actualizar", "Error al actualizar"],
  updateFailedText: [
    "Hubo un problema al actualizar el lead. Por favor, intenta de nuevo.",
    "Hubo un problema al actualizar el prospecto. Por favor, intenta de nuevo.",
  ],
  convert: ["Convert to Client", "Convertir en cliente"],
  converting: ["Converting...", "Convirtiendo..."],
  convertHint: ["{name} becomes a client.", "{name} pasa a ser cliente."],
  conversionValue: ["Conversion Value ($)", "Valor de conversión ($)"],
  conversionValueInvalid: ["Enter an amount from 0 to 999,999,999.", "Escribe un monto de 0 a 999,999,999."],
  convertNotes: ["Conversion Notes", "Notas de conversión"],
  convertedTitle: ["Lead Converted", "Prospecto convertido"],
  convertedText: ["{name} is now a client.", "{name} ya es cliente."],
  convertFailedTitle: ["Conversion Failed", "Error de conversión"],
  convertFailedText: [
    "There was a problem converting the lead. Please try again.",
    "Hubo un problema al convertir el prospecto. Por favor, intenta de nuevo.",
  ],
});
