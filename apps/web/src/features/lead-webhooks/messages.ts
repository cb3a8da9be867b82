import type { DeliveryState } from "@portal/contract/entities/lead-webhook";
import { defineMessages } from "../../lib/i18n.ts";
import type { BadgeTone } from "../../ui/badge.tsx";

export const webhooksMessages = defineMessages("lead-webhooks", {
  title: ["Webhook Configuration", "Configuración de webhooks"],
  subtitle: [
    "Each system sends its leads to an address of its own. New leads go to the first sales rep, known ones are brought up to date.",
    "Cada sistema envía sus prospectos a su propia dirección. Los nuevos van al primer consultor; los conocidos se actualizan.",
  ],
  list: ["Sources of leads", "Orígenes de prospectos"],
  loadFailed: ["The sources could not be loaded.", "No se pudieron cargar los orígenes."],
  retry: ["Retry", "Reintentar"],
  source_lead: ["Any system", "Cualquier sistema"],
  source_salesforce: ["Salesforce", "Salesforce"],
  source_hubspot: ["HubSpot", "HubSpot"],
  source_pipedrive: ["Pipedrive", "Pipedrive"],
  source_import: ["Import API", "API de importación"],
  access_open: ["Open", "Abierto"],
  access_keyed: ["Key set", "Con clave"],
  access_closed: ["Closed: no key", "Cerrado: sin clave"],
  openNotice: [
    "Sources marked Open take leads from anybody, without a key. That is so in the demo only: in production a source without a key is closed.",
    "Los orígenes marcados como Abierto aceptan prospectos de cualquiera, sin clave. Solo es así en la demostración: en producción, un origen sin clave está cerrado.",
  ],
  closedNotice: [
    "Sources marked Closed refuse every request until an administrator makes a key for them.",
    "Los orígenes marcados como Cerrado rechazan toda solicitud hasta que un administrador les cree una clave.",
  ],
  noDelivery: ["No delivery yet", "Aún no hay entregas"],
  lastDelivery: ["Last delivery {when}", "Última entrega {when}"],
  configure: ["Configure", "Configurar"],
  configureOf: ["Configure {source}", "Configurar {source}"],
  test: ["Test", "Probar"],
  testOf: ["Test {source}", "Probar {source}"],
  state_received: ["Waiting", "En espera"],
  state_retrying: ["Trying again", "Reintentando"],
  state_failed: ["Failed", "Fallida"],
  state_rejected: ["Not readable", "Ilegible"],
  state_done: ["Done", "Hecha"],
});

export const sourceDialogMessages = defineMessages("lead-webhook-source", {
  title: ["{source}: webhook", "{source}: webhook"],
  titleImport: ["Import API", "API de importación"],
  tabs: ["Parts of the configuration", "Partes de la configuración"],
  setupTab: ["Setup", "Configuración"],
  testTab: ["Test", "Prueba"],
  deliveriesTab: ["Deliveries", "Entregas"],
  address: ["Address", "Dirección"],
  addressHint: ["Senders POST to this address.", "Los sistemas envían con POST a esta dirección."],
  how_lead: [
    "Send JSON or a form with name, email, phone, company, source and notes; other fields are kept with the lead. The key goes in the header X-Webhook-Secret, or sign the body with it (HMAC-SHA256, header X-Webhook-Signature).",
    "Envía JSON o un formulario con name, email, phone, company, source y notes; los demás campos se guardan con el prospecto. La clave va en el encabezado X-Webhook-Secret, o firma el cuerpo con ella (HMAC-SHA256, encabezado X-Webhook-Signature).",
  ],
  how_salesforce: [
    "A flow's HTTP callout sends JSON with the key in the header X-Webhook-Secret. An outbound message can set no header: add ?key= and the key to the address.",
    "La llamada HTTP de un flujo envía JSON con la clave en el encabezado X-Webhook-Secret. Un mensaje saliente no permite encabezados: agrega ?key= y la clave a la dirección.",
  ],
  how_hubspot: [
    "An app signs its requests: set its client secret below. A workflow's 'Send a webhook' sends whole contacts and may carry the key in the header X-Webhook-Secret. Subscriptions send the contact's id only: subscribe to email, phone, firstname and lastname as well.",
    "Una aplicación firma sus solicitudes: indica abajo su secreto de cliente. La acción «Enviar un webhook» de un flujo de trabajo envía contactos completos y puede llevar la clave en el encabezado X-Webhook-Secret. Las suscripciones envían solo el id del contacto: suscríbete también a email, phone, firstname y lastname.",
  ],
  how_pipedrive: [
    "Give the webhook HTTP authentication: any user name, and the key as the password.",
    "Pon autenticación HTTP al webhook: cualquier nombre de usuario y la clave como contraseña.",
  ],
  how_import: [
    "Programs post leads with the key in the header X-Webhook-Secret.",
    "Los programas envían prospectos con la clave en el encabezado X-Webhook-Secret.",
  ],
  key: ["Key", "Clave"],
  noKey: ["No key is set.", "No hay clave."],
  keySet: [
    "A key ending in {hint} is set since {date}.",
    "Hay una clave que termina en {hint} desde el {date}.",
  ],
  keyBy: ["Made by {name}.", "La creó {name}."],
  keyPrevious: ["The key before it works until {when}.", "La clave anterior sirve hasta {when}."],
  createKey: ["Create key", "Crear clave"],
  rotateKey: ["Rotate key", "Renovar clave"],
  removeKey: ["Remove key", "Quitar clave"],
  newKey: ["New key", "Nueva clave"],
  newKeyHint: ["Copy it now: it is shown this once.", "Cópiala ahora: no se volverá a mostrar."],
  removeTitle: ["Remove the key?", "¿Quitar la clave?"],
  removeText: [
    "Senders that use it are refused at once, those with the key before it too.",
    "Los sistemas que la usan serán rechazados de inmediato, también los que usan la anterior.",
  ],
  cancel: ["Cancel", "Cancelar"],
  clientSecret: ["Client secret of the HubSpot app", "Secreto de cliente de la aplicación de HubSpot"],
  clientSecretHint: [
    "HubSpot's signatures are checked with it. It is kept encrypted and never shown.",
    "Con él se comprueban las firmas de HubSpot. Se guarda cifrado y no se muestra nunca.",
  ],
  clientSecretSet: ["A client secret is set.", "Hay un secreto de cliente."],
  organizationId: ["Salesforce organization id", "Id de organización de Salesforce"],
  organizationIdHint: [
    "Outbound messages of other organizations are not taken. Empty takes any.",
    "No se aceptan mensajes salientes de otras organizaciones. Vacío acepta cualquiera.",
  ],
  save: ["Save", "Guardar"],
  remove: ["Remove", "Quitar"],
  savedTitle: ["Settings Saved", "Configuración guardada"],
  savedText: ["The source was changed.", "Se cambió el origen."],
  failedTitle: ["Change Failed", "Error al cambiar"],
  adminOnly: [
    "Keys and deliveries are in the hands of administrators.",
    "Las claves y las entregas están en manos de los administradores.",
  ],
});

export const webhookTestMessages = defineMessages("lead-webhook-test", {
  sample: ["Sample", "Ejemplo"],
  sampleHint: [
    "It is sent through the real address, as you. Change it as you like.",
    "Se envía a la dirección real, en tu nombre. Cámbialo como quieras.",
  ],
  createLead: ["Also make the lead", "Crear también el prospecto"],
  createLeadHint: [
    "Without this the sample is received and read, and no lead is made.",
    "Sin esto el ejemplo se recibe y se lee, pero no se crea ningún prospecto.",
  ],
  send: ["Send Test", "Enviar prueba"],
  testing: ["Testing...", "Probando..."],
  result: ["Result of the test", "Resultado de la prueba"],
  status: ["Status", "Estado"],
  body: ["Body", "Cuerpo"],
  emptyBody: ["(empty)", "(vacío)"],
  okTitle: ["Webhook test succeeded", "La prueba del webhook funcionó"],
  okText: ["The endpoint answered {status}.", "La dirección respondió {status}."],
  refusedTitle: ["Webhook test failed", "La prueba del webhook falló"],
  refusedText: ["The endpoint answered {status}.", "La dirección respondió {status}."],
  unreachableTitle: ["Test failed", "La prueba falló"],
  unreachableText: [
    "Could not connect to webhook endpoint.",
    "No se pudo conectar con la dirección del webhook.",
  ],
});

export const deliveryMessages = defineMessages("lead-deliveries", {
  list: ["Last deliveries", "Últimas entregas"],
  hint: [
    "The last 50, newest first. They are kept 30 days.",
    "Las últimas 50, primero las nuevas. Se guardan 30 días.",
  ],
  loading: ["Loading deliveries…", "Cargando entregas…"],
  loadFailed: ["The deliveries could not be loaded.", "No se pudieron cargar las entregas."],
  retry: ["Retry", "Reintentar"],
  empty: ["No deliveries yet", "Aún no hay entregas"],
  emptyText: [
    "What this address receives appears here at once.",
    "Lo que reciba esta dirección aparecerá aquí al momento.",
  ],
  delivery: ["Delivery {id}", "Entrega {id}"],
  testMark: ["Test", "Prueba"],
  show: ["Body", "Cuerpo"],
  bodyOf: ["Body of delivery {id}", "Cuerpo de la entrega {id}"],
  replay: ["Replay", "Repetir"],
  replayOf: ["Replay delivery {id}", "Repetir la entrega {id}"],
  replayedTitle: ["Delivery Replayed", "Entrega repetida"],
  replayedText: ["It is worked again, as it came.", "Se procesa de nuevo, tal como llegó."],
  replayFailedTitle: ["Replay Failed", "Error al repetir"],
  outcome_created: ["New lead", "Prospecto nuevo"],
  outcome_updated: ["Updated", "Actualizado"],
  outcome_unchanged: ["Nothing new", "Sin cambios"],
  outcome_repeat: ["Repeat, dropped", "Repetida, descartada"],
  outcome_waiting: ["Waits for more", "Espera más datos"],
  outcome_ignored: ["Not about a lead", "No es de un prospecto"],
  outcome_rejected: ["Not taken", "No aceptado"],
  outcome_tested: ["Would be taken", "Se aceptaría"],
  openLead: ["Open the history of {name}", "Abrir el historial de {name}"],
  moreItems_one: ["and {count} more", "y {count} más"],
  moreItems_other: ["and {count} more", "y {count} más"],
});

/** Reasons of the server, matched by their English text; {value} is the sender's text. */
export const reasonMessages = defineMessages("lead-delivery-reasons", {
  notJson: ["The body is not JSON.", "El cuerpo no es JSON."],
  empty: ["The body is empty.", "El cuerpo está vacío."],
  noXml: ["XML is not read at this address.", "En esta dirección no se lee XML."],
  noLead: ["The body holds no lead.", "El cuerpo no contiene ningún prospecto."],
  noObject: ["Not an object with fields.", "No es un objeto con campos."],
  doctype: ["A document type is not accepted.", "No se acepta un tipo de documento."],
  noMessage: ["The XML is not an outbound message.", "El XML no es un mensaje saliente."],
  otherOrganization: [
    "The message comes from another organization.",
    "El mensaje viene de otra organización.",
  ],
  noNotification: ["The message holds no notification.", "El mensaje no contiene notificaciones."],
  noEvent: ["Not an event of a subscription.", "No es un evento de una suscripción."],
  noRecord: ["The notification holds no record.", "La notificación no contiene ningún registro."],
  noPerson: ["The person's data is missing.", "Faltan los datos de la persona."],
  noContactId: ["The contact's id is missing.", "Falta el id del contacto."],
  noProperty: ["The property's name is missing.", "Falta el nombre de la propiedad."],
  notContact: ["Not about a contact: {value}.", "No trata de un contacto: {value}."],
  notPerson: ["Not about a person: {value}.", "No trata de una persona: {value}."],
  untakenAction: [
    "Nothing is taken from a person's {value}.",
    "De este evento de una persona no se toma nada: {value}.",
  ],
  untaken: ["Nothing is taken from {value}.", "De este evento no se toma nada: {value}."],
  tooMany: ["The body holds more than {value} leads.", "El cuerpo contiene más de {value} prospectos."],
  noContact: [
    "The body holds neither events nor a contact.",
    "El cuerpo no contiene ni eventos ni un contacto.",
  ],
  idOnly: [
    "Only the contact's id came. It becomes a lead when its email or phone comes: subscribe to these properties, or let a workflow send the whole contact.",
    "Solo llegó el id del contacto. Será un prospecto cuando llegue su correo o teléfono: suscríbete a esas propiedades o deja que un flujo de trabajo envíe el contacto completo.",
  ],
});

export const stateTones: Record<DeliveryState, BadgeTone> = {
  received: "info",
  retrying: "warning",
  failed: "danger",
  rejected: "danger",
  done: "plain",
};
