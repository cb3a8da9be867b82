import { defineMessages } from "../../lib/i18n.ts";

export const goLiveMessages = defineMessages("go-live", {
  title: ["Go-live checklist", "Lista de puesta en marcha"],
  subtitle: [
    "Everything that has to be true before the team works with the real Twilio, GoHighLevel and Google.",
    "Todo lo que tiene que cumplirse antes de que el equipo trabaje con Twilio, GoHighLevel y Google de verdad.",
  ],
  diagnostics: ["Diagnostics", "Diagnóstico"],
  checking: ["Checking…", "Revisando…"],
  open_one: ["{count} point is still open.", "Queda {count} punto por resolver."],
  open_other: ["{count} points are still open.", "Quedan {count} puntos por resolver."],
  notAllChecked: [
    "Not everything could be looked at. Check again in a minute.",
    "No se pudo revisar todo. Vuelve a revisar en un minuto.",
  ],
  failed: ["The checklist could not be loaded.", "No se pudo cargar la lista."],
  checkFailed: ["This could not be looked at.", "No se pudo revisar."],
  retry: ["Retry", "Reintentar"],
  live: ["Checked live", "Revisado en vivo"],
  byHand: ["By hand, at the vendor", "A mano, en el proveedor"],
  where: ["Where: {path}", "Dónde: {path}"],
  opens: ["opens in a new tab", "se abre en otra pestaña"],
  mark: ["Mark as done", "Marcar como hecho"],
  markStep: ["Mark as done: {step}", "Marcar como hecho: {step}"],
  markAgain: ["Still true", "Sigue vigente"],
  markAgainStep: ["Still true: {step}", "Sigue vigente: {step}"],
  unmark: ["Take back", "Deshacer"],
  unmarkStep: ["Take back: {step}", "Deshacer: {step}"],
  saveFailed: ["That could not be saved", "No se pudo guardar"],
  done: ["Done", "Hecho"],
  todo: ["Open", "Pendiente"],
  again: ["Look again", "Revisar otra vez"],
  doneBy: ["Done on {date} by {name}.", "Hecho el {date} por {name}."],
  doneLongAgo: [
    "Done on {date} by {name}, more than {days} days ago: see whether it is still so.",
    "Hecho el {date} por {name}, hace más de {days} días: revisa si sigue así.",
  ],

  twilio: ["Twilio", "Twilio"],
  ghl: ["Go High Level", "Go High Level"],
  google: ["Google Calendar", "Google Calendar"],
  webhooks: ["Webhooks and imports", "Webhooks e importaciones"],
  email: ["Email", "Correo electrónico"],

  backups: ["Backups", "Copias de seguridad"],
  lastBackup: ["Last backup", "Última copia de seguridad"],
  noBackup: ["The portal has made none yet.", "El portal todavía no ha hecho ninguna."],
  backupEncrypted: ["{time}, {megabytes} MB, encrypted.", "{time}, {megabytes} MB, cifrada."],
  backupClear: [
    "{time}, {megabytes} MB, not encrypted: set BACKUP_KEY.",
    "{time}, {megabytes} MB, sin cifrar: configura BACKUP_KEY.",
  ],
  backupFailed: [
    "A backup failed {time}. The portal's log says why.",
    "Una copia falló {time}. El registro del portal dice por qué.",
  ],
  schedule: ["By schedule, every {hours} hours.", "Programada, cada {hours} horas."],
  noSchedule: [
    "There is no schedule: set BACKUP_DIR, or run npm run db:backup.",
    "No hay ninguna programada: configura BACKUP_DIR o ejecuta npm run db:backup.",
  ],
  backupWhy: [
    "Without one, a broken disk takes every lead, call and text with it. Back up the database and keep ENCRYPTION_KEY apart from it.",
    "Sin una, un disco dañado se lleva todos los prospectos, llamadas y mensajes. Respalda la base de datos y guarda ENCRYPTION_KEY en otro sitio.",
  ],
  guide: ["Operations guide", "Guía de operación"],
});

/** The test call to the user's own phone. */
export const testCallMessages = defineMessages("go-live-test-call", {
  title: ["Test call to your own phone", "Llamada de prueba a tu propio teléfono"],
  why: [
    "Twilio rings your phone and asks this portal, with a key made for this call alone, what to say: proof that the address is reached from outside. Nobody else is rung.",
    "Twilio llama a tu teléfono y pregunta a este portal, con una clave hecha solo para esta llamada, qué decir: prueba de que se llega a la dirección desde fuera. No suena ningún otro teléfono.",
  ],
  start: ["Ring my phone {phone}", "Llamar a mi teléfono {phone}"],
  off: ["Calls are off: Twilio has no keys.", "Las llamadas están desactivadas: Twilio no tiene claves."],
  noPhone: ["Add your phone number in Settings first.", "Agrega primero tu teléfono en Configuración."],
  settings: ["Open Settings", "Abrir Configuración"],
  startFailed: ["The test call could not be made", "No se pudo hacer la llamada de prueba"],
  none: ["There was none yet.", "Aún no hubo ninguna."],
  calling: ["Twilio was asked to ring the phone…", "Se pidió a Twilio que llame al teléfono…"],
  ringing: [
    "Twilio reached the portal. The phone is ringing…",
    "Twilio llegó al portal. El teléfono está sonando…",
  ],
  answered: [
    "Answered: Twilio asked the portal and says its words…",
    "Contestada: Twilio preguntó al portal y dice sus palabras…",
  ],
  passed: [
    "Passed: Twilio reached the portal, and the phone was answered.",
    "Superada: Twilio llegó al portal y se contestó el teléfono.",
  ],
  unanswered: [
    "Twilio reached the portal but did not ask for its words: nobody answered, or the question was lost.",
    "Twilio llegó al portal, pero no pidió sus palabras: nadie contestó o la pregunta se perdió.",
  ],
  not_reached: ["Twilio never got through to the portal.", "Twilio nunca llegó al portal."],
  notReachedTodo: [
    "See that PUBLIC_URL is the address that the internet reaches, that the proxy leads it here, and that TWILIO_AUTH_TOKEN is the account's: requests with another signature are refused. Twilio's console lists what it tried under Monitor, Logs, Errors.",
    "Revisa que PUBLIC_URL sea la dirección a la que llega internet, que el proxy la lleve aquí y que TWILIO_AUTH_TOKEN sea el de la cuenta: las solicitudes con otra firma se rechazan. La consola de Twilio lista lo que intentó en Monitor, Logs, Errors.",
  ],
  refused: ["Twilio did not make the call: {reason}.", "Twilio no hizo la llamada: {reason}."],
  again: [
    "A test call counts for {days} days, and for the address of the portal that it was made with: make it again.",
    "Una llamada de prueba vale {days} días, y solo para la dirección del portal con la que se hizo: repítela.",
  ],
  asked: ["Asked for by {name}, {when}.", "Pedida por {name}, {when}."],
});

const systemNumber = [
  "the system number may not make calls",
  "el número del sistema no puede hacer llamadas",
] as const;
const phoneNumber = ["the phone's number is not valid", "el número del teléfono no es válido"] as const;
const country = [
  "calls to the country of the phone are not switched on",
  "las llamadas al país del teléfono no están activadas",
] as const;

/** Why Twilio did not place a test call: by its error code (twilio.com/docs/api/errors), else by the kind of failure. */
export const failureMessages = defineMessages("go-live-failures", {
  code_10004: [
    "too many calls are under way on the account",
    "hay demasiadas llamadas en curso en la cuenta",
  ],
  code_21205: ["it refuses the address PUBLIC_URL", "rechaza la dirección PUBLIC_URL"],
  code_21210: systemNumber,
  code_21211: phoneNumber,
  code_21212: systemNumber,
  code_21213: systemNumber,
  code_21214: ["the phone cannot be reached", "no se puede llegar al teléfono"],
  code_21215: country,
  code_21216: ["it blocks calls to the phone's number", "bloquea las llamadas al número del teléfono"],
  code_21217: phoneNumber,
  code_21219: [
    "the phone's number is not verified for this trial account",
    "el número del teléfono no está verificado para esta cuenta de prueba",
  ],
  code_21408: country,
  auth: ["it does not accept the portal's keys", "no acepta las claves del portal"],
  "rate-limited": ["it is busy", "está ocupado"],
  invalid: ["it refused the call", "rechazó la llamada"],
  unavailable: ["it could not be reached", "no se pudo llegar a él"],
  "not-found": ["it does not know the account", "no conoce la cuenta"],
  coded: ["{reason} (error {code})", "{reason} (error {code})"],
});
