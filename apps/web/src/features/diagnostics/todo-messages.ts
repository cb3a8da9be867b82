import { defineMessages } from "../../lib/i18n.ts";

/** What to do about a finding. */
export const todoMessages = defineMessages("diagnostic-todos", {
  proxy_unknown: [
    "Set TRUST_PROXY to the number of proxies in front of the portal: until then one guesser's wrong passwords count for everybody who is not known yet.",
    "Configura TRUST_PROXY con el número de proxies delante del portal: hasta entonces, las contraseñas erradas de uno cuentan para todos los que aún no son conocidos.",
  ],
  secrets_rotating: [
    "Leave ENCRYPTION_KEY_PREVIOUS set, and look again in a few minutes.",
    "Deja ENCRYPTION_KEY_PREVIOUS configurada y vuelve a mirar en unos minutos.",
  ],
  secrets_rotated: [
    "Once every process has this ENCRYPTION_KEY, take ENCRYPTION_KEY_PREVIOUS away. Keep it with the backups made until now.",
    "Cuando todos los procesos tengan esta ENCRYPTION_KEY, quita ENCRYPTION_KEY_PREVIOUS. Guárdala con los respaldos hechos hasta ahora.",
  ],
  secrets_unreadable: [
    "Set the key that they were encrypted with as ENCRYPTION_KEY_PREVIOUS and start the portal anew. If it is lost, connect GoHighLevel and the calendars again and set the webhooks' secrets anew.",
    "Configura como ENCRYPTION_KEY_PREVIOUS la clave con que se cifraron y reinicia el portal. Si se perdió, conecta de nuevo GoHighLevel y los calendarios y vuelve a poner los secretos de los webhooks.",
  ],
  ghl_refused: [
    "Make a new private integration token in GHL (Settings, Private Integrations) with the scopes of the documentation, and set GHL_PRIVATE_TOKEN and GHL_LOCATION_ID.",
    "Crea en GHL un nuevo token de integración privada (Settings, Private Integrations) con los permisos de la documentación y configura GHL_PRIVATE_TOKEN y GHL_LOCATION_ID.",
  ],
  twilio_refused: [
    "Compare TWILIO_ACCOUNT_SID with TWILIO_AUTH_TOKEN, or the API key, with the Twilio console; see that the account is active.",
    "Compara TWILIO_ACCOUNT_SID con TWILIO_AUTH_TOKEN, o la clave de API, en la consola de Twilio; revisa que la cuenta esté activa.",
  ],
  email_refused: [
    "Compare user and password in SMTP_URL with those of the mail server.",
    "Compara el usuario y la contraseña de SMTP_URL con los del servidor de correo.",
  ],
  email_no_answer: [
    "See that SMTP_URL names the mail server and its port, and that this server may reach it. Mail waits and is tried again.",
    "Revisa que SMTP_URL nombre el servidor de correo y su puerto, y que este servidor pueda llegar a él. El correo espera y se reintenta.",
  ],
  email_not_used: [
    "Set SMTP_URL and MAIL_FROM to let it. Everything else works without.",
    "Configura SMTP_URL y MAIL_FROM para que los envíe. Todo lo demás funciona sin ellos.",
  ],
  refused: ["Set a key that is valid.", "Configura una clave válida."],
  no_answer: [
    "Look at the provider's status page and at this server's way to the internet. What waits is sent when it answers again.",
    "Mira la página de estado del proveedor y la salida a internet de este servidor. Lo que espera se enviará cuando responda.",
  ],
  busy: [
    "Nothing to do: requests wait as long as it asks.",
    "Nada que hacer: las solicitudes esperan lo que pide.",
  ],
  unexpected_answer: [
    "See whether a proxy or a wrong base address stands in between (GHL_BASE_URL, TWILIO_BASE_URL).",
    "Revisa si hay un proxy o una dirección base equivocada en medio (GHL_BASE_URL, TWILIO_BASE_URL).",
  ],
  ghl_not_configured: [
    "Set GHL_PRIVATE_TOKEN and GHL_LOCATION_ID.",
    "Configura GHL_PRIVATE_TOKEN y GHL_LOCATION_ID.",
  ],
  twilio_not_configured: [
    "Set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_PHONE_NUMBER.",
    "Configura TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN y TWILIO_PHONE_NUMBER.",
  ],
  google_not_configured: [
    "Set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET. Local meetings work without.",
    "Configura GOOGLE_CLIENT_ID y GOOGLE_CLIENT_SECRET. Las reuniones locales funcionan sin ellas.",
  ],
  location_unknown: [
    "Set GHL_LOCATION_ID to the location that the private token was made in (its Settings, Business Profile, Location ID), or make a token in that location.",
    "Configura GHL_LOCATION_ID con la ubicación en la que se creó el token privado (allí: Settings, Business Profile, Location ID), o crea un token en esa ubicación.",
  ],
  scopes_missing: [
    "Private token: in HighLevel edit it (Settings, Private Integrations) and tick the scopes below; the token stays the same. App: give it the scopes at HighLevel and install it again.",
    "Token privado: edítalo en HighLevel (Settings, Private Integrations) y marca los permisos de abajo; el token no cambia. Aplicación: dale los permisos en HighLevel e instálala de nuevo.",
  ],
  app_scopes_missing: [
    "Give the app the scopes below at HighLevel and install it again under Integrations.",
    "Da a la aplicación en HighLevel los permisos de abajo e instálala de nuevo en Integraciones.",
  ],
  app_lost: [
    "Connect again under Integrations; what waits goes out then.",
    "Conéctala de nuevo en Integraciones; lo que espera sale entonces.",
  ],
  app_unrenewed: [
    "Integrations says why; what waits goes out once it is renewed.",
    "Integraciones dice por qué; lo que espera sale en cuanto se renueve.",
  ],
  app_not_connected: ["Install it under Integrations.", "Instálala en Integraciones."],
  private_token_old: [
    "Make a new one in HighLevel (Settings, Private Integrations), set GHL_PRIVATE_TOKEN, or say under Integrations when it was made.",
    "Crea uno nuevo en HighLevel (Settings, Private Integrations) y configura GHL_PRIVATE_TOKEN, o di en Integraciones cuándo se creó.",
  ],
  accounts_ended: [
    "Each of them sees it on the calendar page and can connect again; their changes wait until then.",
    "Cada uno lo ve en la página del calendario y puede conectarse de nuevo; sus cambios esperan hasta entonces.",
  ],
  api_off: [
    "In the Google Cloud console, in the project of GOOGLE_CLIENT_ID: APIs and services, Library, Google Calendar API, Enable. Meetings wait and go out by themselves some minutes later, each once.",
    "En la consola de Google Cloud, en el proyecto de GOOGLE_CLIENT_ID: APIs y servicios, Biblioteca, Google Calendar API, Habilitar. Las reuniones esperan y salen solas unos minutos después, una vez cada una.",
  ],
  domain_policy: [
    "In the Google Admin console of that Workspace: Security, Access and data control, API controls, App access control; trust the portal's client ID. Meetings wait and go out by themselves afterwards, each once.",
    "En la consola de administración de Google de ese Workspace: Seguridad, Acceso y control de datos, Controles de API, Control de acceso a apps; confía en el ID de cliente del portal. Las reuniones esperan y salen solas después, una vez cada una.",
  ],
  google_changes_failed: [
    "The meeting says why; correct it there and save it again.",
    "La reunión dice por qué; corrígela allí y guárdala de nuevo.",
  ],
  open_to_all: [
    "Make keys under Integrations, Webhooks, before others can reach this address.",
    "Crea claves en Integraciones, Webhooks, antes de que otros puedan llegar a esta dirección.",
  ],
  no_keys: [
    "Make a key under Integrations, Webhooks, for each system that is to send leads.",
    "Crea una clave en Integraciones, Webhooks, para cada sistema que vaya a enviar prospectos.",
  ],
  nearly_used_up: [
    "See what else uses this key; pause large imports and full syncs until tomorrow.",
    "Revisa qué más usa esta clave; deja las importaciones y sincronizaciones grandes para mañana.",
  ],
  used_up: [
    "Wait: requests resume when the limit resets.",
    "Espera: las solicitudes siguen solas cuando el límite se renueve.",
  ],
  local_only: [
    "Set PUBLIC_URL to the https address under which the internet reaches the portal.",
    "Configura PUBLIC_URL con la dirección https por la que internet llega al portal.",
  ],
  not_encrypted: [
    "Put the portal behind https and set PUBLIC_URL to that address.",
    "Pon el portal detrás de https y configura PUBLIC_URL con esa dirección.",
  ],
  unreachable: [
    "See that the name of PUBLIC_URL resolves, that the certificate is valid and that the proxy leads to this server.",
    "Revisa que el nombre de PUBLIC_URL resuelva, que el certificado sea válido y que el proxy lleve a este servidor.",
  ],
  answered_by_another: [
    "Let the proxy lead PUBLIC_URL to this server, without a redirect and without a sign-in of its own.",
    "Haz que el proxy lleve PUBLIC_URL a este servidor, sin redirección y sin pedir su propio acceso.",
  ],
  number_elsewhere: [
    "Press Fix, or set in the Twilio console what stands below.",
    "Pulsa Corregir, o pon en la consola de Twilio lo que está abajo.",
  ],
  number_fallback_missing: [
    "Make the TwiML Bin of the operations guide, which rings the office line; set its address as TWILIO_NUMBER_FALLBACK_URL and press Fix, or set it at the number (Primary handler fails).",
    "Crea el TwiML Bin de la guía de operaciones, que llama a la línea de la oficina; pon su dirección en TWILIO_NUMBER_FALLBACK_URL y pulsa Corregir, o ponla en el número (Primary handler fails).",
  ],
  number_fallback_unfit: [
    "Let the TwiML Bin ring the number of OFFICE_LINE, as in the operations guide.",
    "Haz que el TwiML Bin llame al número de OFFICE_LINE, como en la guía de operaciones.",
  ],
  fallback_unread: [
    "See that what it names still exists at Twilio, that its address is https and that it answers with TwiML, as in the operations guide.",
    "Revisa que lo que nombra siga existiendo en Twilio, que su dirección sea https y que responda con TwiML, como en la guía de operaciones.",
  ],
  call_fallback_unfit: [
    "Make it as the operations guide says, with the address of this portal (PUBLIC_URL).",
    "Hazlo como dice la guía de operaciones, con la dirección de este portal (PUBLIC_URL).",
  ],
  call_fallback_endless: [
    "A TwiML Bin cannot count: use the Function of the operations guide.",
    "Un TwiML Bin no sabe contar: usa la Function de la guía de operaciones.",
  ],
  call_fallback_missing: [
    "Make what the operations guide says, and set its address as TWILIO_CALL_FALLBACK_URL.",
    "Crea lo que dice la guía de operaciones y pon su dirección en TWILIO_CALL_FALLBACK_URL.",
  ],
  calls_not_connected: [
    "In the Twilio console: Voice geographic permissions, the verified caller ID, and whether it is a trial account. Dialers are paused; whoever resumes goes on.",
    "En la consola de Twilio: permisos geográficos de voz, el número verificado y si la cuenta es de prueba. Los marcadores están en pausa; quien los reanude continúa.",
  ],
  whole_read_late: [
    "See under Integrations why the last ones failed. It begins by itself at night, and by day where it is over 30 hours old.",
    "Mira en Integraciones por qué fallaron las últimas. Empieza sola de noche, y de día si tiene más de 30 horas.",
  ],
  deletions_held: [
    "Decide under Integrations: mark their leads, or leave them as they are.",
    "Decide en Integraciones: marcar sus prospectos o dejarlos como están.",
  ],
  service_elsewhere: [
    "Press Fix, or set it in the Twilio console (Messaging, Services, Integration).",
    "Pulsa Corregir, o ponlo en la consola de Twilio (Messaging, Services, Integration).",
  ],
  service_unknown: [
    "Set TWILIO_MESSAGING_SERVICE_SID to a service of this account, or take it away.",
    "Configura TWILIO_MESSAGING_SERVICE_SID con un servicio de esta cuenta, o quítalo.",
  ],
  service_empty: [
    "In the Twilio console add the number to the service's sender pool.",
    "En la consola de Twilio agrega el número al grupo de remitentes del servicio.",
  ],
  pool_elsewhere: [
    "Set in the Twilio console, at each of these numbers, what stands below. Fix does not touch them.",
    "Pon en la consola de Twilio, en cada uno de estos números, lo que está abajo. Corregir no los toca.",
  ],
  number_unknown: [
    "Set TWILIO_PHONE_NUMBER to a number of this account.",
    "Configura TWILIO_PHONE_NUMBER con un número de esta cuenta.",
  ],
  none_received: [
    "Let GHL send its webhooks to the address below. Until then changes come by the sync every 5 minutes.",
    "Haz que GHL envíe sus webhooks a la dirección de abajo. Mientras tanto los cambios llegan con la sincronización cada 5 minutos.",
  ],
  slow: ["Look again in a minute.", "Vuelve a mirar en un minuto."],
  stuck: [
    "See whether the provider answers, and look into the server's log; nothing is lost meanwhile.",
    "Revisa si el proveedor responde y mira el registro del servidor; mientras tanto no se pierde nada.",
  ],
  put_aside: [
    "Look into the server's log for these events.",
    "Busca estos eventos en el registro del servidor.",
  ],
  webhooks_put_aside: [
    "Open the deliveries under Integrations, Webhooks: each says why, and can be replayed.",
    "Abre las entregas en Integraciones, Webhooks: cada una dice por qué y se puede repetir.",
  ],
  sync_failed: [
    "Fix what it says, then sync again under Integrations. It continues where it stopped.",
    "Corrige lo que dice y sincroniza de nuevo en Integraciones; sigue donde se detuvo.",
  ],
  sync_late: [
    "See whether the background jobs run (/api/ready), and sync under Integrations.",
    "Revisa si los trabajos en segundo plano funcionan (/api/ready) y sincroniza en Integraciones.",
  ],
  never_synced: ["Start a sync under Integrations.", "Inicia una sincronización en Integraciones."],
  google_never_synced: [
    "It comes with the first calendar that a consultant connects, on the Calendar page.",
    "Llega con el primer calendario que conecte un consultor, en la página Calendario.",
  ],
  changes_failed: [
    "Integrations lists them with the reason. Fix the cause and press Retry.",
    "Integraciones los lista con sus motivos; corrige la causa y pulsa Reintentar.",
  ],
  reports_unmatched: [
    "Call History lists them under Reported, not matched. Their time counts in no talk time; ask the consultant which call was meant.",
    "El historial de llamadas las muestra en Informadas, sin correspondencia. Su tiempo no cuenta como conversación; pregunta al consultor qué llamada era.",
  ],
  check_failed: [
    "Look into the server's log; the other checks hold all the same.",
    "Mira el registro del servidor; las demás revisiones valen igual.",
  ],
});
