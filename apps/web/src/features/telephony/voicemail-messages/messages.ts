import { defineMessages } from "../../../lib/i18n.ts";

/** Messages of leaving a recorded message. */
export const leaveMessages = defineMessages("leave-message", {
  leave: ["Leave message", "Dejar mensaje"],
  leaveHint: ["A voicemail answered: “{name}”", "Contestó un buzón de voz: “{name}”"],
  leaving: [
    "Leaving your message “{name}”… You can go on.",
    "Dejando tu mensaje “{name}”… Puedes continuar.",
  ],
  left: ["Your message “{name}” was left.", "Tu mensaje “{name}” se dejó."],
  not_whole: ["Your message “{name}” was not left whole.", "Tu mensaje “{name}” no se dejó completo."],
  failedTitle: ["Message not left", "El mensaje no se dejó"],
  failedText: ["The message could not be left.", "No se pudo dejar el mensaje."],
});

/** Messages of the dialog for recorded messages. */
export const voicemailMessageMessages = defineMessages("voicemail-messages", {
  title: ["Messages for voicemails", "Mensajes para buzones de voz"],
  description: [
    "Recorded in your own voice, up to 60 seconds. The default of the lead's language is the one that is left.",
    "Grabados con tu propia voz, de hasta 60 segundos. Se deja el predeterminado del idioma del prospecto.",
  ],
  off: [
    "Recorded messages are off: none is left yet. Administrators switch them on in Settings, Organization.",
    "Los mensajes grabados están desactivados: todavía no se deja ninguno. Los administradores los activan en Configuración, Organización.",
  ],
  none: ["No messages yet.", "Aún no hay mensajes."],
  loading: ["Loading messages…", "Cargando mensajes…"],
  loadFailed: ["The messages could not be loaded.", "No se pudieron cargar los mensajes."],
  isDefault: ["Default", "Predeterminado"],
  makeDefault: ["Make default", "Usar como predeterminado"],
  makeDefaultOf: ["Make default: {name}", "Usar como predeterminado: {name}"],
  rename: ["Rename {name}", "Cambiar el nombre de {name}"],
  renameTitle: ["Rename message", "Cambiar nombre del mensaje"],
  remove: ["Delete {name}", "Eliminar {name}"],
  removeTitle: ["Delete this message?", "¿Eliminar este mensaje?"],
  removeText: [
    "“{name}” is no longer left. What was left stays on the timelines.",
    "“{name}” ya no se deja. Lo que se dejó queda en las cronologías.",
  ],
  removeConfirm: ["Delete", "Eliminar"],
  cancel: ["Cancel", "Cancelar"],
  add: ["New message", "Nuevo mensaje"],
  addTitle: ["New message", "Nuevo mensaje"],
  way_fileHint: [
    "A WAV or MP3 file of up to 60 seconds and 5 MB.",
    "Un archivo WAV o MP3 de hasta 60 segundos y 5 MB.",
  ],
  name: ["Name", "Nombre"],
  language: ["Language", "Idioma"],
  file: ["Sound file", "Archivo de audio"],
  chooseFirst: ["Choose a file first.", "Primero elige un archivo."],
  tooLarge: ["This file is larger than 5 MB.", "Este archivo supera los 5 MB."],
  way: ["How", "Cómo"],
  way_phone: ["Record by phone", "Grabar por teléfono"],
  way_phoneHint: [
    "Your own phone rings. Press 1, speak after the tone, end with #.",
    "Suena tu propio teléfono. Pulsa 1, habla después del tono y termina con #.",
  ],
  way_file: ["Upload a file", "Subir un archivo"],
  ring: ["Ring my phone", "Llamar a mi teléfono"],
  ringing: ["Calling…", "Llamando…"],
  state_calling: [
    "Your phone rings to record “{name}”. Press 1 when you are ready.",
    "Suena tu teléfono para grabar “{name}”. Pulsa 1 cuando estés listo.",
  ],
  state_recording: [
    "Recording “{name}”. Press # when you are done.",
    "Grabando “{name}”. Pulsa # cuando termines.",
  ],
  failure_unanswered: [
    "“{name}” was not recorded: nobody pressed 1.",
    "“{name}” no se grabó: nadie pulsó 1.",
  ],
  failure_silent: ["“{name}” was not recorded: nothing was said.", "“{name}” no se grabó: no se dijo nada."],
  failure_refused: [
    "“{name}” was not recorded: your phone could not be called.",
    "“{name}” no se grabó: no se pudo llamar a tu teléfono.",
  ],
  failure_lost: [
    "“{name}” was not recorded: its sound did not arrive. Try again.",
    "“{name}” no se grabó: el audio no llegó. Vuelve a intentarlo.",
  ],
  save: ["Save", "Guardar"],
  saving: ["Saving…", "Guardando…"],
  failedTitle: ["Error", "Error"],
  failedText: ["The message could not be saved.", "No se pudo guardar el mensaje."],
});
