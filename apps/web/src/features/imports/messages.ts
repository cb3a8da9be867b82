import type { ImportFaultCode } from "@portal/contract/import-faults";
import type { LeadField } from "@portal/contract/lead-headers";
import { defineMessages } from "../../lib/i18n.ts";
import type { ReadFault } from "./read-source.ts";

export const importMessages = defineMessages("data-import", {
  title: ["Import leads", "Importar prospectos"],
  description: [
    "From a CSV file (up to 10MB) or JSON. Leads whose email is known already are skipped, and every import is logged.",
    "Desde un archivo CSV (hasta 10 MB) o JSON. Los prospectos cuyo correo ya existe se omiten y cada importación queda registrada.",
  ],
  formats: ["Format", "Formato"],
  csv: ["CSV", "CSV"],
  json: ["JSON", "JSON"],
  csvFile: ["CSV file", "Archivo CSV"],
  jsonFile: ["JSON file", "Archivo JSON"],
  chooseFile: ["Choose a file", "Elegir un archivo"],
  dropHere: ["or drop it here, up to 10MB", "o suéltalo aquí, hasta 10 MB"],
  removeFile: ["Remove the file", "Quitar el archivo"],
  pasteCsv: ["Or paste CSV", "O pega CSV"],
  pasteJson: ["Or paste JSON", "O pega JSON"],
  csvHint: [
    "The first row names the columns. Commas, semicolons or tabs.",
    "La primera fila nombra las columnas. Comas, puntos y comas o tabuladores.",
  ],
  jsonHint: ["An array of leads, or a single one.", "Una lista de prospectos o uno solo."],
  importCsv: ["Import CSV", "Importar CSV"],
  importJson: ["Import JSON", "Importar JSON"],
  importing: ["Importing...", "Importando..."],
  reading: ["Reading the file…", "Leyendo el archivo…"],
  csvErrorTitle: ["CSV parsing error", "Error al leer el CSV"],
  jsonErrorTitle: ["JSON parsing error", "Error al leer el JSON"],
  failedTitle: ["Import failed", "Error de importación"],
  failedText: ["The leads could not be imported.", "No se pudieron importar los prospectos."],
  gaveUp: [
    "It stopped after several tries. What was imported stays; import the file again.",
    "Se abandonó tras varios intentos. Lo hecho se conserva; importa el archivo de nuevo.",
  ],
  completeTitle: ["Import complete", "Importación terminada"],
  previewTitle: ["What was found", "Lo que se encontró"],
  rows_one: ["{count} row", "{count} fila"],
  rows_other: ["{count} rows", "{count} filas"],
  column: ["Column", "Columna"],
  firstValues: ["First values", "Primeros valores"],
  goesInto: ["Goes into", "Va a"],
  fieldOf: ["Field for {column}", "Campo para {column}"],
  keep: ["Kept with the lead", "Se guarda con el prospecto"],
  noContact: [
    "No column holds an email or a phone number: no row can be imported until one does.",
    "Ninguna columna contiene un correo ni un teléfono: sin ella no se puede importar ninguna fila.",
  ],
  encodingTitle: ["How do these names read right?", "¿Cómo se leen bien estos nombres?"],
  encodingText: [
    "The file does not say how its letters are written. Choose the line in which all names are right.",
    "El archivo no indica cómo están escritas sus letras. Elige la línea en la que todos los nombres se leen bien.",
  ],
  encodingConfirm: ["These names are right", "Estos nombres están bien"],
  encodingAgain: ["Names look wrong: choose again", "Los nombres se ven mal: elegir de nuevo"],
  brokenRows_one: [
    "Row {rows} holds letters that cannot be read; � stands for each. Correct it in the file, or in the lead afterwards.",
    "La fila {rows} tiene letras ilegibles; cada una aparece como �. Corrígela en el archivo o después en el prospecto.",
  ],
  brokenRows_other: [
    "Rows {rows} hold letters that cannot be read; � stands for each. Correct them in the file, or in the leads afterwards.",
    "Las filas {rows} tienen letras ilegibles; cada una aparece como �. Corrígelas en el archivo o después en los prospectos.",
  ],
  strayQuotes_one: [
    "{count} quote was never closed and is read as a plain sign.",
    "{count} comilla sin cerrar se lee como un signo más.",
  ],
  strayQuotes_other: [
    "{count} quotes were never closed and are read as plain signs.",
    "{count} comillas sin cerrar se leen como signos.",
  ],
  separatedBy: ["Separated by {sign}", "Separado por {sign}"],
  comma: ["commas", "comas"],
  semicolon: ["semicolons", "puntos y comas"],
  tab: ["tabs", "tabuladores"],
  bar: ["bars", "barras"],
  duplicates: ["Leads that already exist", "Prospectos que ya existen"],
  duplicatesSkip: ["Skip them", "Omitirlos"],
  duplicatesUpdate: ["Update them from the file", "Actualizarlos con el archivo"],
  resultTitle: ["Result", "Resultado"],
  imported: ["Imported", "Importados"],
  updated: ["Updated", "Actualizados"],
  skipped: ["Skipped", "Omitidos"],
  errors: ["Errors", "Errores"],
  progress: ["{done} of {total} rows", "{done} de {total} filas"],
  sending: ["Sending the rows…", "Enviando las filas…"],
  goesOn: [
    "It continues in the background: you can leave this page.",
    "Continúa por sí sola: puedes salir de esta página.",
  ],
  unreadablePhones_one: [
    "{count} phone number cannot be called and was kept as it came.",
    "No se puede llamar a {count} teléfono, que se guardó tal como venía.",
  ],
  unreadablePhones_other: [
    "{count} phone numbers cannot be called and were kept as they came.",
    "No se puede llamar a {count} teléfonos, que se guardaron tal como venían.",
  ],
  downloadFailed: ["Download the rows that failed", "Descargar las filas con errores"],
  downloadFailedOf: ["Download the rows that failed: {name}", "Descargar las filas con errores: {name}"],
  failedHint: [
    "Fix these rows in the file and import it again. Leads already imported are skipped.",
    "Corrige estas filas en el archivo e impórtalo de nuevo. Los que ya entraron se omiten.",
  ],
  row: ["Row {row}: {reason}", "Fila {row}: {reason}"],
  andMore: ["and {count} more", "y {count} más"],
  lastTitle: ["Last imports", "Últimas importaciones"],
  lastEmpty: ["Nothing has been imported yet.", "Todavía no se ha importado nada."],
  lastFailed: ["The last imports could not be loaded.", "No se pudieron cargar las últimas importaciones."],
  byKey: ["API key", "Clave de API"],
  summary: [
    "{imported} imported, {updated} updated, {skipped} skipped, {errors} errors",
    "Importados: {imported}, actualizados: {updated}, omitidos: {skipped}, errores: {errors}",
  ],
  stateRunning: ["Running", "En curso"],
  stateDone: ["Done", "Terminada"],
  stateFailed: ["Stopped", "Detenida"],
});

export const faultMessages = defineMessages("data-import-faults", {
  "no-rows": [
    "CSV must have at least a header row and one data row",
    "El CSV debe tener al menos una fila de encabezado y una de datos",
  ],
  "invalid-json": ["Invalid JSON format", "El formato JSON no es válido"],
  "too-large": ["The file is larger than 10MB.", "El archivo pesa más de 10 MB."],
  "too-many": [
    "The file has more rows or columns than can be imported at once (200,000 rows, 200 columns).",
    "El archivo tiene más filas o columnas de las que se pueden importar a la vez (200,000 filas, 200 columnas).",
  ],
  "not-text": [
    "This is not a text file. Save a workbook as CSV first.",
    "No es un archivo de texto. Guarda primero el libro como CSV.",
  ],
  "no-leads": ["The JSON holds no leads.", "El JSON no contiene prospectos."],
} satisfies Record<ReadFault, readonly [string, string]>);

export const fieldMessages = defineMessages("data-import-fields", {
  name: ["Name", "Nombre completo"],
  firstName: ["First name", "Nombre"],
  lastName: ["Last name", "Apellidos"],
  email: ["Email", "Correo"],
  phone: ["Phone", "Teléfono"],
  company: ["Company", "Empresa"],
  industry: ["Industry", "Sector"],
  status: ["Status", "Estado"],
  priority: ["Priority", "Prioridad"],
  notes: ["Notes", "Notas"],
  leadSource: ["Source", "Origen"],
  dealValue: ["Deal value", "Valor del negocio"],
} satisfies Record<LeadField, readonly [string, string]>);

export const reasonMessages = defineMessages("data-import-reasons", {
  no_contact: ["Has neither an email nor a phone number", "No tiene correo ni teléfono"],
  invalid_email: ["Invalid email address: {value}", "Correo no válido: {value}"],
  invalid_phone: [
    "Invalid phone number: {value} (and no email)",
    "Teléfono no válido: {value} (y sin correo)",
  ],
  too_long: ["{value} is too long", "{value} es demasiado largo"],
  too_deep: ["Is nested too deeply: {value}", "Tiene demasiados niveles anidados: {value}"],
  broken_text: ["Has broken characters: {value}", "Tiene caracteres dañados: {value}"],
  not_a_record: ["Is not a record", "No es un registro"],
  not_cells: ["Is not a row of cells", "No es una fila de celdas"],
  too_many_cells: [
    "Has more cells than the header ({value})",
    "Tiene más celdas que el encabezado ({value})",
  ],
  not_yours: ["This lead is another consultant's", "Este prospecto es de otro consultor"],
  not_stored: ["Could not be stored", "No se pudo guardar"],
} satisfies Record<ImportFaultCode, readonly [string, string]>);
