import { defineTexts } from "../../lib/i18n.ts";

export const settingsTexts = defineTexts("settings", {
  title: ["Settings", "Configuración"],
  subtitle: [
    "How calls reach you and how the portal looks.",
    "Cómo te llegan las llamadas y cómo se ve el portal.",
  ],
  phoneTitle: ["Phone Settings", "Configuración del teléfono"],
  phoneDescription: [
    "Calls go to this number. Without one they go to the assigned system number.",
    "Las llamadas van a este número. Si no tienes uno, van al número asignado del sistema.",
  ],
  phone: ["Personal Phone Number", "Número de teléfono personal"],
  phoneHint: ["Optional", "Opcional"],
  savePhone: ["Save Phone Number", "Guardar número"],
  saving: ["Saving...", "Guardando..."],
  phoneSavedTitle: ["Número Actualizado", "Número actualizado"],
  phoneSavedText: [
    "Your personal phone number has been updated.",
    "Tu número de teléfono personal se actualizó.",
  ],
  phoneFailedTitle: ["Error al Actualizar", "Error al actualizar"],
  phoneFailedText: [
    "Your phone number could not be updated.",
    "No se pudo actualizar tu número de teléfono.",
  ],
  interfaceTitle: ["Interface", "Interfaz"],
  interfaceDescription: ["Theme and language of the portal.", "Tema e idioma del portal."],
  theme: ["Theme", "Tema"],
  themeLight: ["Light", "Claro"],
  themeDark: ["Dark", "Oscuro"],
  themeAuto: ["Auto", "Automático"],
  language: ["Language", "Idioma"],
  languageEn: ["English", "Inglés"],
  languageEs: ["Spanish", "Español"],
  saveInterface: ["Save Interface Settings", "Guardar interfaz"],
  interfaceSavedTitle: ["Settings Saved", "Configuración guardada"],
  interfaceSavedText: [
    "Your interface settings have been saved.",
    "Tu configuración de la interfaz se guardó.",
  ],
  interfaceFailedTitle: ["Update Failed", "Error al actualizar"],
  interfaceFailedText: [
    "Failed to save interface settings.",
    "No se pudo guardar la configuración de la interfaz.",
  ],
});
