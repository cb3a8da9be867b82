import { defineMessages } from "../../../lib/i18n.ts";

/** Messages of the templates in the composer. */
export const templateMessages = defineMessages("sms-templates", {
  templates: ["Templates", "Plantillas"],
  hint: ["/ opens the templates.", "/ abre las plantillas."],
  list: ["Templates of texts", "Plantillas de mensajes"],
  loading: ["Loading templates…", "Cargando plantillas…"],
  loadFailed: ["The templates could not be loaded.", "No se pudieron cargar las plantillas."],
  noneFound: ["No template is called that.", "Ninguna plantilla se llama así."],
  found_one: ["{count} template", "{count} plantilla"],
  found_other: ["{count} templates", "{count} plantillas"],
  manage: ["Manage templates", "Administrar plantillas"],
  language: ["Language of the text", "Idioma del mensaje"],
  onlyIn_en: ["English only", "Solo en inglés"],
  onlyIn_es: ["Spanish only", "Solo en español"],
  shared: ["Shared", "Compartida"],
  unfilled: [
    "Nothing is known for “{field}”. Write something in its place.",
    "No se sabe nada de “{field}”. Escribe algo en su lugar.",
  ],
  noField: ["There is no field {field}.", "No existe el campo {field}."],
  toPlace: ["Go to it", "Ir ahí"],
  field_first_name: ["First name", "Nombre"],
  field_consultant: ["Consultant", "Consultor"],
  field_company: ["Company", "Empresa"],
  field_meeting: ["Next meeting", "Próxima reunión"],
});

/** Messages of the dialog for editing templates. */
export const templateDialogMessages = defineMessages("sms-template-dialog", {
  title: ["Templates of texts", "Plantillas de mensajes"],
  description: [
    "In a text, / finds them. Yours are for you alone; administrators share theirs with everybody.",
    "En un mensaje, / las encuentra. Las tuyas son solo para ti; los administradores comparten las suyas con todos.",
  ],
  own: ["Yours", "Tuyas"],
  sharedGroup: ["Shared", "Compartidas"],
  none: ["No templates yet.", "Aún no hay plantillas."],
  add: ["New template", "Nueva plantilla"],
  edit: ["Edit {name}", "Editar {name}"],
  remove: ["Delete {name}", "Eliminar {name}"],
  removeTitle: ["Delete this template?", "¿Eliminar esta plantilla?"],
  removeText: [
    "“{name}” is no longer offered. Texts that were sent stay as they are.",
    "“{name}” ya no se ofrece. Los mensajes enviados quedan como están.",
  ],
  removeConfirm: ["Delete", "Eliminar"],
  version: ["Version {n}, {date}", "Versión {n}, {date}"],
  sent_one: ["{count} text sent", "{count} mensaje enviado"],
  sent_other: ["{count} texts sent", "{count} mensajes enviados"],
  forMissedCall: ["For missed calls", "Para llamadas perdidas"],
  newTitle: ["New template", "Nueva plantilla"],
  editTitle: ["Edit template", "Editar plantilla"],
  name: ["Name", "Nombre"],
  english: ["Text in English", "Mensaje en inglés"],
  spanish: ["Text in Spanish", "Mensaje en español"],
  bothHint: [
    "One language is enough. The lead's language chooses.",
    "Basta con un idioma. El idioma del prospecto decide.",
  ],
  insert: ["Insert a field", "Insertar un campo"],
  fallbackExample: ["company|your business", "company|su negocio"],
  fallbackHint: [
    "{example} says “your business” where no company is known. Without it, the text waits until somebody fills the place.",
    "{example} dice “su negocio” si no se sabe la empresa. Sin eso, el mensaje espera a que alguien llene el lugar.",
  ],
  share: ["Share with everybody", "Compartir con todos"],
  missedOption: [
    "Send it by “Missed you” after a call that did not reach the lead",
    "Enviarla con «Te llamé» tras una llamada sin respuesta",
  ],
  cancel: ["Cancel", "Cancelar"],
  save: ["Save", "Guardar"],
  saving: ["Saving…", "Guardando…"],
  failedTitle: ["Error", "Error"],
  failedText: ["The template could not be saved.", "No se pudo guardar la plantilla."],
});
