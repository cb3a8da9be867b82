import { defineMessages } from "../../lib/i18n.ts";
import { leadEndpoints } from "./lead-endpoint-messages.ts";

/** Summaries of the endpoints by method and path: those of the contract's routes, with Spanish translations. */
export const endpointMessages = defineMessages("endpoints", {
  ...leadEndpoints,
  "GET /api/admin/audit": ["Who did what", "Quién hizo qué"],
  "GET /api/admin/audit/export": ["The audit as JSON lines", "La auditoría como líneas JSON"],
  "GET /api/admin/health": ["Health of the integrations", "Estado de las integraciones"],
  "GET /api/admin/live": ["What everybody does right now", "Lo que hace cada quien en este momento"],
  "POST /api/admin/login": ["Sign in as administrator", "Iniciar sesión como administrador"],
  "GET /api/admin/refusals": [
    "Contacts that were refused, and why",
    "Contactos que se rechazaron, y por qué",
  ],
  "GET /api/admin/session-check": [
    "Check the administrator's session",
    "Comprobar la sesión del administrador",
  ],
  "GET /api/admin/system-stats": ["Figures of the whole system", "Cifras de todo el sistema"],
  "GET /api/admin/user-stats": ["Figures by user", "Cifras por usuario"],
  "GET /api/organisation-settings": ["Settings of the organization", "La configuración de la organización"],
  "PATCH /api/organisation-settings": [
    "Save the settings of the organization",
    "Guardar la configuración de la organización",
  ],
  "GET /api/retry-rules": ["When leads are called again", "Cuándo se vuelve a llamar a los prospectos"],
  "PATCH /api/retry-rules": [
    "Change when leads are called again",
    "Cambiar cuándo se vuelve a llamar a los prospectos",
  ],
  "POST /api/retry-rules/preview": [
    "What a change of the retry rules would mean",
    "Qué supondría un cambio de las reglas de reintento",
  ],
  "PATCH /api/change-password": ["Change the password", "Cambiar la contraseña"],
  "GET /api/current-user": ["The signed-in user", "El usuario que inició sesión"],
  "GET /api/twilio/settings-plan": ["See what would be fixed at Twilio", "Ver qué se corregiría en Twilio"],
  "POST /api/twilio/settings-plan": ["Fix at Twilio what was shown", "Corregir en Twilio lo que se mostró"],
  "GET /api/diagnostics/{integration}": ["Look at one integration now", "Revisar una integración ahora"],
  "GET /api/docs/json": ["The API's description (OpenAPI)", "La descripción de la API (OpenAPI)"],
  "GET /api/ghl/deletions": [
    "Deletions in GoHighLevel that wait for a decision",
    "Eliminaciones en GoHighLevel que esperan una decisión",
  ],
  "POST /api/ghl/deletions/{id}": [
    "Decide about deletions in GoHighLevel",
    "Decidir sobre eliminaciones en GoHighLevel",
  ],
  "GET /api/ghl/call-recordings": [
    "Recordings to match call logs with",
    "Grabaciones para emparejar con los registros de llamada",
  ],
  "GET /api/ghl/outbox": ["Changes on their way to GoHighLevel", "Cambios en camino a GoHighLevel"],
  "GET /api/ghl/outbox/leads/{id}": [
    "One lead's changes on their way to GoHighLevel",
    "Cambios de un prospecto en camino a GoHighLevel",
  ],
  "POST /api/ghl/outbox/retry": [
    "Send failed changes to GoHighLevel again",
    "Enviar de nuevo a GoHighLevel los cambios que fallaron",
  ],
  "GET /api/ghl/rejects": [
    "What GoHighLevel sent and could not be taken in",
    "Lo que envió GoHighLevel y no se pudo recibir",
  ],
  "GET /api/ghl/status": ["State of the GoHighLevel connection", "Estado de la conexión con GoHighLevel"],
  "POST /api/ghl/sync": [
    "Sync all contacts from GoHighLevel",
    "Sincronizar todos los prospectos desde GoHighLevel",
  ],
  "POST /api/ghl/sync-changes": [
    "Sync what changed in GoHighLevel since the last sync",
    "Sincronizar lo que cambió en GoHighLevel desde la última vez",
  ],
  "POST /api/ghl/sync-leads": [
    "Sync the consultants' contacts from GoHighLevel",
    "Sincronizar desde GoHighLevel los prospectos de los consultores",
  ],
  "GET /api/ghl/sync-runs": ["The last sync runs", "Las últimas sincronizaciones"],
  "GET /api/ghl/sync-runs/{id}": ["One sync run", "Una sincronización"],
  "GET /api/crm/connection": ["Which way to GoHighLevel is in use", "Qué vía hacia GoHighLevel se usa"],
  "DELETE /api/crm/connection": ["Disconnect the GoHighLevel app", "Desconectar la app de GoHighLevel"],
  "POST /api/crm/install": [
    "Begin to install the GoHighLevel app",
    "Empezar a instalar la app de GoHighLevel",
  ],
  "GET /api/crm/install/callback": [
    "GoHighLevel's answer to an installation",
    "Respuesta de GoHighLevel a una instalación",
  ],
  "POST /api/crm/install/read": [
    "Look at an installation begun at GoHighLevel",
    "Ver una instalación iniciada en GoHighLevel",
  ],
  "POST /api/crm/install/confirm": [
    "Confirm an installation begun at GoHighLevel",
    "Confirmar una instalación iniciada en GoHighLevel",
  ],
  "PATCH /api/crm/private-token": [
    "Say when the GoHighLevel private token was made",
    "Indicar cuándo se creó el token privado de GoHighLevel",
  ],
  "GET /api/google/auth": ["Begin to connect Google Calendar", "Empezar a conectar Google Calendar"],
  "GET /api/google/callback": ["Google's answer to the consent", "Respuesta de Google al consentimiento"],
  "DELETE /api/google/disconnect": ["Disconnect Google Calendar", "Desconectar Google Calendar"],
  "GET /api/google/status": [
    "State of the Google Calendar connection",
    "Estado de la conexión con Google Calendar",
  ],
  "POST /api/google/sync": ["Take in changes from Google Calendar", "Recibir cambios de Google Calendar"],
  "GET /api/health": ["Whether the server serves", "Si el servidor atiende"],
  "POST /api/import/lead": [
    "Import one lead (free-form record)",
    "Importar un prospecto (registro de forma libre)",
  ],
  "POST /api/import/leads": [
    "Import leads (array of free-form records)",
    "Importar prospectos (lista de registros de forma libre)",
  ],
  "GET /api/go-live": [
    "The go-live checklist: steps by hand, the last test call",
    "La lista para salir en vivo: puntos a mano, la última llamada de prueba",
  ],
  "POST /api/go-live/steps/{step}": [
    "Mark a step of the go-live checklist as done",
    "Marcar como hecho un punto de la lista para salir en vivo",
  ],
  "DELETE /api/go-live/steps/{step}": ["Take the mark of a step back", "Deshacer la marca de un punto"],
  "POST /api/go-live/test-call": [
    "Ring one's own phone, to see that the portal is reached from outside",
    "Llamar al propio teléfono, para ver que se llega al portal desde fuera",
  ],
  "GET /api/imports": ["The last imports", "Las últimas importaciones"],
  "GET /api/imports/{id}": ["One import", "Una importación"],
  "GET /api/imports/{id}/failed.csv": [
    "Rows of an import that did not go in (CSV)",
    "Filas de una importación que no entraron (CSV)",
  ],
  "PATCH /api/interface-settings": [
    "Keep theme, language, single keys and the layout of lists",
    "Guardar tema, idioma, teclas sueltas y la vista de las listas",
  ],
  "POST /api/login/local": ["Sign in with email and password", "Iniciar sesión con correo y contraseña"],
  "POST /api/login-link/end": ["Unlink the login provider", "Desvincular el proveedor de acceso"],
  "DELETE /api/team/{id}/login-link": [
    "Unlink a person from the login provider",
    "Desvincular a una persona del proveedor de acceso",
  ],
  "GET /api/notices": ["What the desktop tells", "Lo que se avisa en el escritorio"],
  "GET /api/push": ["Devices with push notifications", "Dispositivos con notificaciones push"],
  "POST /api/push/devices": [
    "Turn push notifications on for this browser",
    "Activar las notificaciones push en este navegador",
  ],
  "DELETE /api/push/devices/{id}": [
    "Turn push notifications off for a browser",
    "Desactivar las notificaciones push de un navegador",
  ],
  "POST /api/push/test": [
    "Send a test notification to this browser",
    "Enviar una notificación de prueba a este navegador",
  ],
  "PATCH /api/notification-settings": ["Keep which notices are wanted", "Guardar qué avisos se quieren"],
  "POST /api/password-link": [
    "Choose a password by a one-time link",
    "Elegir una contraseña con un enlace de un solo uso",
  ],
  "POST /api/password-link/check": ["Whose one-time link it is", "De quién es el enlace de un solo uso"],
  "PATCH /api/profile": [
    "Change name, email, picture or personal phone number",
    "Cambiar nombre, correo, foto o teléfono personal",
  ],
  "GET /api/ready": ["Whether database and jobs work", "Si la base de datos y los trabajos funcionan"],
  "GET /api/sales-reps": [
    "Consultants that leads can be assigned to",
    "Consultores a quienes se pueden asignar prospectos",
  ],
  "DELETE /api/sessions": ["End all sessions but this one", "Terminar todas las sesiones menos esta"],
  "GET /api/sign-ins": [
    "Sign-ins to one's account, refused ones too",
    "Inicios de sesión en la propia cuenta, también los rechazados",
  ],
  "GET /api/sessions": ["Browsers that are signed in", "Navegadores con la sesión iniciada"],
  "DELETE /api/sessions/{id}": ["End one of one's sessions", "Terminar una de las sesiones propias"],
  "GET /api/settings": ["The user's settings", "La configuración del usuario"],
  "DELETE /api/team/{id}/second-factor": [
    "Reset a person's second factor",
    "Restablecer el segundo factor de una persona",
  ],
  "POST /api/passkeys/options": ["Begin to add a passkey", "Empezar a agregar una llave de acceso"],
  "POST /api/passkeys": ["Add a passkey", "Agregar una llave de acceso"],
  "PATCH /api/passkeys/{id}": ["Name a passkey", "Cambiar el nombre de una llave de acceso"],
  "POST /api/passkeys/{id}/end": ["Remove a passkey", "Quitar una llave de acceso"],
  "POST /api/login/passkey/options": [
    "Begin a sign-in by passkey",
    "Empezar a iniciar sesión con una llave de acceso",
  ],
  "POST /api/login/passkey": ["Sign in by passkey", "Iniciar sesión con una llave de acceso"],
  "GET /api/second-factor": ["The user's second factor", "El segundo factor del usuario"],
  "POST /api/second-factor/verify": [
    "Complete a sign-in with a code of the second factor",
    "Completar el inicio de sesión con un código del segundo factor",
  ],
  "POST /api/second-factor/totp": [
    "Begin to set up an authenticator app",
    "Empezar a configurar una aplicación de autenticación",
  ],
  "POST /api/second-factor/totp/confirm": [
    "Set up an authenticator app",
    "Configurar una aplicación de autenticación",
  ],
  "POST /api/second-factor/totp/end": [
    "Remove the authenticator app",
    "Quitar la aplicación de autenticación",
  ],
  "POST /api/second-factor/recovery-codes": [
    "Make new recovery codes",
    "Crear códigos de recuperación nuevos",
  ],
  "GET /api/sign-in-options": ["Ways to sign in", "Formas de iniciar sesión"],
  "GET /api/availability": [
    "Whether one can be reached, one's working hours and stand-in",
    "Si uno está localizable, su horario y quién lo sustituye",
  ],
  "PATCH /api/availability": [
    "Be away or available, or change one's working hours or stand-in",
    "Ausentarse o estar disponible, o cambiar el propio horario o sustituto",
  ],
  "PATCH /api/team/{id}/availability": [
    "Change when a person can be reached and who stands in",
    "Cambiar cuándo está localizable una persona y quién la sustituye",
  ],
  "GET /api/team": ["All accounts", "Todas las cuentas"],
  "POST /api/team": ["Open an account", "Abrir una cuenta"],
  "PATCH /api/team/{id}": ["Change an account", "Cambiar una cuenta"],
  "POST /api/team/{id}/deactivate": ["Close an account", "Cerrar una cuenta"],
  "POST /api/team/{id}/password-link": [
    "Make a one-time link to choose a password",
    "Crear un enlace de un solo uso para elegir contraseña",
  ],
  "POST /api/team/{id}/reactivate": ["Open a closed account again", "Abrir de nuevo una cuenta cerrada"],
  "DELETE /api/team/{id}/sessions": [
    "Sign a person out everywhere",
    "Cerrar la sesión de una persona en todas partes",
  ],
  "POST /api/team/{id}/transfer-leads": [
    "Give a person's leads to others",
    "Pasar a otros los prospectos de una persona",
  ],
  "GET /api/twilio/recording/{recordingSid}": ["Sound of a recording", "Audio de una grabación"],
  "GET /api/twilio/recordings": [
    "Recordings of the telephony provider",
    "Grabaciones del proveedor de telefonía",
  ],
  "GET /api/users/{id}/photo": ["A user's picture", "La foto de un usuario"],
  "GET /api/webhook-deliveries": ["The last deliveries of a source", "Las últimas entregas de un origen"],
  "POST /api/webhook-deliveries/{id}/replay": [
    "Work a kept delivery again",
    "Procesar de nuevo una entrega guardada",
  ],
  "GET /api/webhook-sources": [
    "Sources of leads and the state of their keys",
    "Orígenes de prospectos y el estado de sus claves",
  ],
  "PATCH /api/webhook-sources/{source}": [
    "Set HubSpot's client secret or Salesforce's organization",
    "Guardar el secreto de cliente de HubSpot o la organización de Salesforce",
  ],
  "DELETE /api/webhook-sources/{source}/key": ["Remove the key of a source", "Quitar la clave de un origen"],
  "POST /api/webhook-sources/{source}/key": [
    "Make or rotate the key of a source",
    "Crear o cambiar la clave de un origen",
  ],
  "POST /api/webhook/hubspot": ["Contacts from HubSpot", "Prospectos de HubSpot"],
  "POST /api/webhook/lead": ["A lead from any system", "Un prospecto de cualquier sistema"],
  "POST /api/webhook/pipedrive": ["Persons from Pipedrive", "Prospectos de Pipedrive"],
  "POST /api/webhook/salesforce": ["Leads from Salesforce", "Prospectos de Salesforce"],
});
