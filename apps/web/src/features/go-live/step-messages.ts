import { defineMessages } from "../../lib/i18n.ts";

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
