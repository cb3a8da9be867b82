import { defineMessages } from "../../lib/i18n.ts";

export const diagnosticsMessages = defineMessages("diagnostics", {
  title: ["Diagnostics", "Diagnóstico"],
  subtitle: [
    "Every integration, looked at now, with what to do about it.",
    "Cada integración, revisada ahora, y qué hacer al respecto.",
  ],
  goLive: ["Go-live checklist", "Lista de puesta en marcha"],
  integrations: ["Integrations", "Integraciones"],
  checkAll: ["Check all again", "Revisar todo de nuevo"],
  check: ["Check {integration} again", "Revisar {integration} de nuevo"],
  checking: ["Checking…", "Revisando…"],
  checkedAt: ["Checked at {time}", "Revisado a las {time}"],
  failed: ["This could not be looked at.", "No se pudo revisar."],
  askAdmin: ["Tell an administrator.", "Avisa a un administrador."],
  details: ["Technical details", "Detalles técnicos"],

  ghl: ["Go High Level", "Go High Level"],
  twilio: ["Twilio", "Twilio"],
  webhooks: ["Webhooks and imports", "Webhooks e importaciones"],
  google: ["Google Calendar", "Google Calendar"],
  email: ["Email", "Correo electrónico"],

  ok: ["OK", "Bien"],
  off: ["Off", "Sin uso"],
  warn: ["Warning", "Atención"],
  fail: ["Problem", "Problema"],

  credentials: ["Access", "Acceso"],
  connection: ["Connection", "Conexión"],
  scopes: ["Scopes", "Permisos de la clave"],
  rateLimit: ["Rate limit", "Límite de solicitudes"],
  reachability: ["Way in for webhooks", "Entrada de webhooks"],
  visitors: ["Addresses of visitors", "Direcciones de los visitantes"],
  storedSecrets: ["Stored secrets", "Secretos guardados"],
  numberWebhooks: ["Webhooks of the system number", "Webhooks del número del sistema"],
  numberFallback: ["When the portal does not answer: callers", "Si el portal no responde: quienes llaman"],
  callFallback: ["When the portal does not answer: our calls", "Si el portal no responde: nuestras llamadas"],
  calls: ["Our calls", "Nuestras llamadas"],
  messagingService: ["Messaging Service", "Messaging Service"],
  poolNumbers: ["Other numbers of the service", "Otros números del servicio"],
  fix: ["Fix…", "Corregir…"],
  lastEvent: ["Last event", "Último evento"],
  queue: ["Queue", "Cola"],
  lastSync: ["Last sync", "Última sincronización"],
  wholeRead: ["Reading of all contacts", "Lectura de todos los contactos"],
  reports: ["Reported calls", "Llamadas informadas"],
  outbox: ["Changes on their way", "Cambios en camino"],
});

/** Findings of checks. A key with an integration's prefix takes precedence over the plain one. */
export const findingMessages = defineMessages("diagnostic-findings", {
  accepted: ["The key is accepted.", "La clave es aceptada."],
  refused: ["The key is refused.", "La clave es rechazada."],
  email_accepted: [
    "The mail server takes the portal's login.",
    "El servidor de correo acepta el acceso del portal.",
  ],
  email_refused: [
    "The mail server refuses the portal's login.",
    "El servidor de correo rechaza el acceso del portal.",
  ],
  no_answer: ["No answer.", "No responde."],
  busy: ["It asks for fewer requests at the moment.", "Pide menos solicitudes por el momento."],
  unexpected_answer: ["Something else answers in its place.", "Otra cosa responde en su lugar."],
  not_configured: ["No keys are set.", "No hay claves configuradas."],
  location_unknown: [
    "The key is taken, but GHL does not know this location, or not by this key.",
    "La clave se acepta, pero GHL no conoce esta ubicación, o no con esta clave.",
  ],
  scopes_granted: [
    "The key has every scope that was asked about.",
    "La clave tiene todos los permisos revisados.",
  ],
  scopes_missing: ["Scopes that the key lacks: {count}.", "Permisos que le faltan a la clave: {count}."],
  app_connected: [
    "The app is installed, with all rights it needs.",
    "La aplicación está instalada, con todos los permisos que necesita.",
  ],
  app_scopes_missing: [
    "The app is installed without rights it needs: {count}.",
    "A la aplicación instalada le faltan permisos: {count}.",
  ],
  app_lost: ["The app's connection ended {when}.", "La conexión de la aplicación terminó {when}."],
  app_unrenewed: ["The app's token is not renewed.", "El token de la aplicación no se renueva."],
  app_not_connected: [
    "The app has its keys and is not installed.",
    "La aplicación tiene sus claves y no está instalada.",
  ],
  private_token_used: ["A private token is in use.", "Se usa un token privado."],
  private_token_old: [
    "The private token was first used {when}: after 90 days HighLevel advises a new one.",
    "El token privado se usó por primera vez {when}: HighLevel aconseja cambiarlo a los 90 días.",
  ],
  accounts_connected: ["Connected consultants: {count}.", "Consultores conectados: {count}."],
  accounts_ended: [
    "Google ended the connection of consultants: {ended}. Connected: {count}.",
    "Google terminó la conexión de consultores: {ended}. Conectados: {count}.",
  ],
  api_off: [
    "Google's Calendar API is not switched on. Calendars that wait for it: {count}.",
    "La API de Calendar de Google no está activada. Calendarios que la esperan: {count}.",
  ],
  domain_policy: [
    "A Google Workspace lets no other apps in. Calendars that wait for it: {count}.",
    "Un Google Workspace no deja entrar a otras aplicaciones. Calendarios que lo esperan: {count}.",
  ],
  no_accounts: [
    "No consultant has connected a calendar yet.",
    "Ningún consultor ha conectado un calendario todavía.",
  ],
  not_used: ["The portal sends no email.", "El portal no envía correos."],
  open_to_all: [
    "Anybody may send leads to at least one source: it has no key.",
    "Cualquiera puede enviar prospectos a por lo menos un origen: no tiene clave.",
  ],
  keys_set: [
    "{count} of {of} sources have a key; the others take nothing.",
    "{count} de {of} orígenes tienen clave; los demás no reciben nada.",
  ],
  no_keys: ["No source has a key: nothing is taken in.", "Ningún origen tiene clave: no se recibe nada."],
  left: [
    "{left} of {of} requests left for 10 seconds, {dailyLeft} of {dailyOf} for today.",
    "Quedan {left} de {of} solicitudes por 10 segundos y {dailyLeft} de {dailyOf} por hoy.",
  ],
  nearly_used_up: [
    "Only {dailyLeft} of {dailyOf} requests are left for today.",
    "Solo quedan {dailyLeft} de {dailyOf} solicitudes por hoy.",
  ],
  used_up: ["The limit is used up.", "El límite está agotado."],
  paced: [
    "Twilio does not tell its limits. Calls started a second, at most: {perSecond}; waiting for their turn: {waiting}.",
    "Twilio no informa sus límites. Llamadas iniciadas por segundo, como máximo: {perSecond}; en espera de turno: {waiting}.",
  ],
  not_reported: ["Not known: there was no answer that tells.", "No se sabe: ninguna respuesta lo dijo."],
  reachable: ["The public address answers.", "La dirección pública responde."],
  local_only: [
    "Only this machine or its network can reach the portal's address.",
    "Solo esta máquina o su red pueden llegar a la dirección del portal.",
  ],
  not_encrypted: [
    "The public address is not encrypted (http).",
    "La dirección pública no está cifrada (http).",
  ],
  told_apart: ["Each visitor's own address is known.", "Se conoce la dirección de cada visitante."],
  proxy_unknown: [
    "The portal is reached by https, and TRUST_PROXY is 0: everybody seems to come from the proxy's address.",
    "Al portal se llega por https y TRUST_PROXY es 0: todos parecen venir de la dirección del proxy.",
  ],
  secrets_readable: ["ENCRYPTION_KEY reads all of them: {count}.", "ENCRYPTION_KEY los lee todos: {count}."],
  secrets_rotating: [
    "Still encrypted with ENCRYPTION_KEY_PREVIOUS: {count}. They are being rewritten.",
    "Cifrados todavía con ENCRYPTION_KEY_PREVIOUS: {count}. Se están volviendo a cifrar.",
  ],
  secrets_rotated: [
    "ENCRYPTION_KEY reads all of them: {count}. Nothing needs ENCRYPTION_KEY_PREVIOUS any more.",
    "ENCRYPTION_KEY los lee todos: {count}. Nada necesita ya ENCRYPTION_KEY_PREVIOUS.",
  ],
  secrets_unreadable: [
    "Cannot be read with the keys that are set: {count}. Nothing of it was deleted.",
    "No se pueden leer con las claves configuradas: {count}. No se borró nada.",
  ],
  unreachable: [
    "The public address does not answer when asked from here.",
    "La dirección pública no responde al preguntar desde aquí.",
  ],
  answered_by_another: [
    "The public address is answered by something else.",
    "Otra cosa responde en la dirección pública.",
  ],
  number_set: [
    "Calls and texts are sent to this portal.",
    "Las llamadas y los mensajes llegan a este portal.",
  ],
  number_elsewhere: [
    "Settings of the number that do not lead here, or not well: {count}.",
    "Configuraciones del número que no llevan aquí, o no bien: {count}.",
  ],
  number_unknown: [
    "The account does not have the system number.",
    "La cuenta no tiene el número del sistema.",
  ],
  number_fallback_set: [
    "Callers reach the office line: what the number falls back to was asked just now.",
    "Quienes llaman llegan a la línea de la oficina: se acaba de consultar a qué recurre el número.",
  ],
  number_fallback_unfit: [
    "What the number falls back to does not ring the office line.",
    "Aquello a lo que recurre el número no llama a la línea de la oficina.",
  ],
  fallback_unread: [
    "What is set there did not answer with instructions for a call.",
    "Lo que está puesto allí no respondió con instrucciones para una llamada.",
  ],
  number_fallback_missing: [
    "Callers would hear an error: the number falls back to nothing that answers then.",
    "Quienes llaman oirían un error: el número no recurre a nada que responda entonces.",
  ],
  call_fallback_set: [
    "Calls under way wait for the portal and go on.",
    "Las llamadas en curso esperan al portal y continúan.",
  ],
  call_fallback_unfit: [
    "What calls under way fall back to does not wait and then ask this portal for the same call.",
    "Aquello a lo que recurren las llamadas en curso no espera ni pregunta después a este portal por la misma llamada.",
  ],
  call_fallback_endless: [
    "What calls under way fall back to waits and asks again, but never ends: the consultant waits until they hang up.",
    "Aquello a lo que recurren las llamadas en curso espera y vuelve a preguntar, pero nunca termina: el consultor espera hasta colgar.",
  ],
  call_fallback_missing: [
    "Calls under way would end with an error.",
    "Las llamadas en curso terminarían con un error.",
  ],
  calls_connect: ["They get through.", "Se conectan."],
  calls_not_connected: [
    "Five in a row could not be connected, the last of them {when}; none got through since.",
    "Cinco seguidas no se pudieron conectar, la última {when}; ninguna se ha conectado desde entonces.",
  ],
  service_set: [
    "Texts to it are sent to this portal. Numbers in its pool: {senders}.",
    "Los mensajes que recibe llegan a este portal. Números en su grupo: {senders}.",
  ],
  service_elsewhere: [
    "Its own address for incoming texts, which goes before that of its numbers, does not lead here, or not well: {count}.",
    "Su propia dirección de mensajes entrantes, que va antes que la de sus números, no lleva aquí, o no bien: {count}.",
  ],
  service_unknown: ["The account does not have this service.", "La cuenta no tiene este servicio."],
  service_empty: [
    "Its pool has no number: texts are refused.",
    "Su grupo no tiene número: los mensajes se rechazan.",
  ],
  pool_set: [
    "Other numbers in its pool: {count}. None of them sends its calls elsewhere.",
    "Otros números en su grupo: {count}. Ninguno envía sus llamadas a otra parte.",
  ],
  pool_elsewhere: [
    "Other numbers in its pool whose calls do not lead here, or not well: {count} of {of}.",
    "Otros números en su grupo cuyas llamadas no llevan aquí, o no bien: {count} de {of}.",
  ],
  received: ["Received {when}.", "Recibido {when}."],
  none_received: ["None lately.", "Ninguno recientemente."],
  nothing_waits: ["Nothing waiting.", "Nada en espera."],
  waiting: ["Waiting: {count}, the oldest since {when}.", "En espera: {count}; lo más antiguo, {when}."],
  slow: [
    "Waiting longer than usual: {count}, the oldest since {when}.",
    "En espera más de lo normal: {count}; lo más antiguo, {when}.",
  ],
  stuck: ["Stuck: {count}, the oldest since {when}.", "Detenido: {count}; lo más antiguo, {when}."],
  put_aside: [
    "Given up after many tries: {putAside}. Waiting: {count}.",
    "Abandonados tras muchos intentos: {putAside}. En espera: {count}.",
  ],
  synced: ["Ended well {when}.", "Terminó bien {when}."],
  sync_failed: ["Failed {when}.", "Falló {when}."],
  sync_late: ["The last good one ended {when}.", "La última correcta terminó {when}."],
  whole_read: [
    "The last one began {when}: deletions and do-not-disturb are known up to then.",
    "La última empezó {when}: hasta entonces se conocen eliminaciones y «no molestar».",
  ],
  whole_read_late: [
    "The last one began {when}. Leads are read one by one before they are called or texted.",
    "La última empezó {when}. Cada prospecto se lee antes de llamarlo o escribirle.",
  ],
  deletions_held: [
    "Far too many contacts turned out deleted {when}: nothing is marked until an administrator decides.",
    "Demasiados contactos resultaron eliminados {when}: nada se marca hasta que un administrador decida.",
  ],
  never_synced: ["There was none yet.", "Aún no hubo ninguna."],
  google_changes_failed: [
    "Refused by Google: {failed}. Waiting: {count}.",
    "Rechazados por Google: {failed}. En espera: {count}.",
  ],
  changes_failed: [
    "Refused by GHL: {failed}. Waiting: {count}.",
    "Rechazados por GHL: {failed}. En espera: {count}.",
  ],
  reports_matched: [
    "Every reported call that names a call of Twilio belongs to it.",
    "Cada llamada informada que nombra una llamada de Twilio le corresponde.",
  ],
  reports_unmatched: [
    "Reported calls that name a call of Twilio which is not that consultant's with that lead: {count}, the oldest {when}.",
    "Llamadas informadas que nombran una llamada de Twilio que no es de ese consultor con ese prospecto: {count}; la más antigua, {when}.",
  ],
  check_failed: ["This check itself failed.", "Esta revisión falló."],
});
