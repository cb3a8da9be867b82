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

/** Manual steps: what they are, and why. */
export const stepMessages = defineMessages("go-live-steps", {
  geo_permissions: [
    "Calls and texts to your leads' countries",
    "Llamadas y mensajes a los países de tus prospectos",
  ],
  geo_permissions_why: [
    "Twilio calls and texts only countries that are switched on. Calls to others cannot be connected and texts to them are not sent, though the numbers may be right.",
    "Twilio solo llama y escribe a los países activados. Las llamadas a los demás no se conectan y los mensajes no salen, aunque los números estén bien.",
  ],
  countries: ["Your leads' numbers: {list}.", "Los números de tus prospectos: {list}."],
  noCountries: ["No lead has a number yet.", "Ningún prospecto tiene número todavía."],
  country: ["{name} ({count})", "{name} ({count})"],
  a2p_registration: ["A2P 10DLC: brand and campaign", "A2P 10DLC: marca y campaña"],
  a2p_registration_why: [
    "United States carriers block texts of numbers that no registered campaign has (error 30034). Approval takes days.",
    "Las operadoras de Estados Unidos bloquean los mensajes de números sin campaña registrada (error 30034). La aprobación tarda días.",
  ],
  stir_shaken: ["SHAKEN/STIR signing", "Firma SHAKEN/STIR"],
  stir_shaken_why: [
    "Calls signed at level A are shown as spam less often. It needs an approved business profile, and every number in the trust product.",
    "Las llamadas firmadas en nivel A se marcan menos como spam. Requiere un perfil de empresa aprobado y todos los números en el producto de confianza.",
  ],
  caller_name: ["Caller name (CNAM)", "Nombre de quien llama (CNAM)"],
  caller_name_why: [
    "The company's name stands on the phones of leads in the United States instead of a bare number.",
    "El nombre de la empresa aparece en los teléfonos de los prospectos de Estados Unidos en lugar de un número solo.",
  ],
  media_authentication: ["Authentication for recordings", "Autenticación de las grabaciones"],
  media_authentication_why: [
    "Without it, whoever learns a recording's address hears the call. The portal signs in to fetch recordings, so nothing changes for the team.",
    "Sin ella, quien conozca la dirección de una grabación oye la llamada. El portal inicia sesión para obtenerlas, así que nada cambia para el equipo.",
  ],
  google_consent: ["Google's consent screen", "Pantalla de consentimiento de Google"],
  google_consent_why: [
    "While it is in Testing, every consultant's calendar is disconnected after 7 days. Internal (Workspace) is enough for one's own people; otherwise publish it and have it verified.",
    "Mientras esté en Testing, el calendario de cada consultor se desconecta a los 7 días. Internal (Workspace) basta para la gente propia; si no, publícala y hazla verificar.",
  ],
});

/** Why something is checked, by the check's name; a key with an integration's prefix takes precedence. */
export const reasonMessages = defineMessages("go-live-reasons", {
  credentials: [
    "Without keys that are accepted nothing of this vendor works.",
    "Sin claves aceptadas nada de este proveedor funciona.",
  ],
  webhooks_credentials: [
    "A source without a key lets anybody send leads in.",
    "Un origen sin clave deja que cualquiera envíe prospectos.",
  ],
  email_credentials: [
    "Unread texts, missed calls and links for new passwords go out by mail.",
    "Por correo salen los mensajes sin leer, las llamadas perdidas y los enlaces para contraseñas nuevas.",
  ],
  rateLimit: [
    "Where the limit is used up, syncs and calls wait.",
    "Cuando el límite se agota, las sincronizaciones y llamadas esperan.",
  ],
  connection: [
    "An installed app sends what changes at once; a private token leaves it to be read every five minutes, and deletions once a night.",
    "Una aplicación instalada envía al instante lo que cambia; con un token privado se lee cada cinco minutos, y lo borrado una vez por noche.",
  ],
  scopes: [
    "Each scope opens a part: contacts, their changes, users, the location, its fields, calls of the AI agent. Asked for one by one; nothing is changed. Whether fields may be made (locations/customFields.write) shows at the first change that is sent.",
    "Cada permiso abre una parte: contactos, sus cambios, usuarios, la ubicación, sus campos, llamadas del agente de IA. Se preguntan uno por uno y no se cambia nada. Si se pueden crear campos (locations/customFields.write) se ve con el primer cambio que se envía.",
  ],
  reachability: [
    "Calls, texts and changes come in by this address.",
    "Las llamadas, los mensajes y los cambios entran por esta dirección.",
  ],
  visitors: [
    "Guessed passwords are counted by address: everybody's would be one.",
    "Las contraseñas adivinadas se cuentan por dirección: la de todos sería una.",
  ],
  storedSecrets: [
    "Tokens and keys in the database are encrypted: without ENCRYPTION_KEY nothing that uses them works.",
    "Los tokens y las claves de la base de datos están cifrados: sin ENCRYPTION_KEY no funciona nada que los use.",
  ],
  numberWebhooks: [
    "Who calls or texts the number reaches the team only where it leads here.",
    "Quien llama o escribe al número llega al equipo solo si lleva aquí.",
  ],
  numberFallback: [
    "While this server is away, callers reach the office line instead of an error.",
    "Mientras este servidor no esté, quienes llaman llegan a la línea de la oficina y no a un error.",
  ],
  callFallback: [
    "A restart in mid-call costs a moment instead of the call.",
    "Un reinicio en plena llamada cuesta un momento y no la llamada.",
  ],
  calls: [
    "Five calls in a row that do not get through are a setting at Twilio, not bad luck.",
    "Cinco llamadas seguidas que no se conectan son una configuración en Twilio, no mala suerte.",
  ],
  messagingService: [
    "Texts go out through it, and answers to it reach the team only where it leads here.",
    "Los mensajes salen por él, y las respuestas llegan al equipo solo si lleva aquí.",
  ],
  poolNumbers: [
    "Leads call back the number that wrote to them, whichever of the pool it was.",
    "Los prospectos devuelven la llamada al número que les escribió, sea cual sea del grupo.",
  ],
  lastEvent: ["Shows that what happens there arrives here.", "Muestra que lo que pasa allí llega aquí."],
  queue: ["What arrives must also be worked.", "Lo que llega también debe procesarse."],
  lastSync: ["What the team sees is as fresh as this.", "Lo que el equipo ve está tan al día como esto."],
  wholeRead: [
    "Who was deleted in GHL, or asked not to be called, is known from it.",
    "Por ella se sabe quién fue eliminado en GHL o pidió que no lo llamen.",
  ],
  outbox: ["What the team changes must get there.", "Lo que el equipo cambia debe llegar allí."],
  reports: [
    "Talk time counts only calls that Twilio knows.",
    "El tiempo de conversación solo cuenta llamadas que Twilio conoce.",
  ],
});
