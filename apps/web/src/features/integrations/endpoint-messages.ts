import { defineMessages } from "../../lib/i18n.ts";
import { leadEndpoints } from "./lead-endpoint-messages.ts";

/** Summaries of the endpoints by method and path: those of the contract's routes, with Spanish translations. */
export const endpointMessages = defineMessages("endpoints", {
  ...leadEndpoints,
  "GET /api/admin/audit": ["Audit log", "Registro de auditoría"],
  "GET /api/admin/audit/export": [
    "Export the audit log as JSON lines",
    "Exportar el registro de auditoría como líneas JSON",
  ],
  "GET /api/admin/health": ["Health of the integrations", "Estado de las integraciones"],
  "GET /api/admin/live": ["Current activity of all users", "Actividad actual de todos los usuarios"],
  "POST /api/admin/login": ["Sign in as administrator", "Iniciar sesión como administrador"],
  "GET /api/admin/refusals": [
    "Contacts refused by the contact policy, with reasons",
    "Contactos que se rechazaron, con el motivo",
  ],
  "GET /api/admin/session-check": [
    "Check the administrator's session",
    "Comprobar la sesión del administrador",
  ],
  "GET /api/admin/system-stats": ["Metrics of the whole system", "Cifras de todo el sistema"],
  "GET /api/admin/user-stats": ["Metrics by user", "Cifras por usuario"],
  "GET /api/organisation-settings": ["Settings of the organization", "La configuración de la organización"],
  "PATCH /api/organisation-settings": [
    "Save the settings of the organization",
    "Guardar la configuración de la organización",
  ],
  "GET /api/retry-rules": ["Retry rules", "Reglas de reintento"],
  "PATCH /api/retry-rules": ["Change the retry rules", "Cambiar las reglas de reintento"],
  "POST /api/retry-rules/preview": [
    "Preview a change of the retry rules",
    "Vista previa de un cambio de las reglas de reintento",
  ],
  "PATCH /api/change-password": ["Change the password", "Cambiar la contraseña"],
  "GET /api/current-user": ["The signed-in user", "El usuario que inició sesión"],
  "GET /api/twilio/settings-plan": [
    "Preview changes of the Twilio settings",
    "Vista previa de los cambios en la configuración de Twilio",
  ],
  "POST /api/twilio/settings-plan": [
    "Apply the previewed changes to the Twilio settings",
    "Aplicar los cambios previstos a la configuración de Twilio",
  ],
  "GET /api/diagnostics/{integration}": ["Check one integration now", "Revisar una integración ahora"],
  "GET /api/docs/json": ["The API's description (OpenAPI)", "La descripción de la API (OpenAPI)"],
  "GET /api/ghl/deletions": [
    "Deletions in GoHighLevel pending a decision",
    "Eliminaciones en GoHighLevel pendientes de decisión",
  ],
  "POST /api/ghl/deletions/{id}": [
    "Accept or discard deletions in GoHighLevel",
    "Aceptar o descartar eliminaciones en GoHighLevel",
  ],
  "GET /api/ghl/call-recordings": [
    "Recordings for matching with call logs",
    "Grabaciones para emparejar con los registros de llamada",
  ],
  "GET /api/ghl/outbox": ["Changes pending for GoHighLevel", "Cambios pendientes de envío a GoHighLevel"],
  "GET /api/ghl/outbox/leads/{id}": [
    "Changes of a lead pending for GoHighLevel",
    "Cambios de un prospecto pendientes de envío a GoHighLevel",
  ],
  "POST /api/ghl/outbox/retry": [
    "Retry failed changes to GoHighLevel",
    "Reintentar los cambios que no llegaron a GoHighLevel",
  ],
  "GET /api/ghl/rejects": [
    "GoHighLevel contacts and events that were rejected",
    "Prospectos y eventos de GoHighLevel que se rechazaron",
  ],
  "GET /api/ghl/status": ["Status of the GoHighLevel connection", "Estado de la conexión con GoHighLevel"],
  "POST /api/ghl/sync": [
    "Sync all contacts from GoHighLevel",
    "Sincronizar todos los prospectos desde GoHighLevel",
  ],
  "POST /api/ghl/sync-changes": [
    "Sync changes in GoHighLevel since the last sync",
    "Sincronizar los cambios en GoHighLevel desde la última sincronización",
  ],
  "POST /api/ghl/sync-leads": [
    "Sync the consultants' contacts from GoHighLevel",
    "Sincronizar desde GoHighLevel los prospectos de los consultores",
  ],
  "GET /api/ghl/sync-runs": ["Recent sync runs", "Las últimas sincronizaciones"],
  "GET /api/ghl/sync-runs/{id}": ["One sync run", "Una sincronización"],
  "GET /api/crm/connection": ["GoHighLevel connection in use", "Conexión con GoHighLevel en uso"],
  "DELETE /api/crm/connection": ["Disconnect the GoHighLevel app", "Desconectar la app de GoHighLevel"],
  "POST /api/crm/install": [
    "Start the installation of the GoHighLevel app",
    "Iniciar la instalación de la app de GoHighLevel",
  ],
  "GET /api/crm/install/callback": [
    "OAuth callback of the GoHighLevel app",
    "Retorno de OAuth de la app de GoHighLevel",
  ],
  "POST /api/crm/install/read": [
    "Check an installation started at GoHighLevel",
    "Revisar una instalación iniciada en GoHighLevel",
  ],
  "POST /api/crm/install/confirm": [
    "Confirm an installation started at GoHighLevel",
    "Confirmar una instalación iniciada en GoHighLevel",
  ],
  "PATCH /api/crm/private-token": [
    "Set the creation date of the GoHighLevel private token",
    "Indicar la fecha de creación del token privado de GoHighLevel",
  ],
  "GET /api/google/auth": ["Start connecting Google Calendar", "Empezar a conectar Google Calendar"],
  "GET /api/google/callback": ["OAuth callback of Google Calendar", "Retorno de OAuth de Google Calendar"],
  "DELETE /api/google/disconnect": ["Disconnect Google Calendar", "Desconectar Google Calendar"],
  "GET /api/google/status": [
    "Status of the Google Calendar connection",
    "Estado de la conexión con Google Calendar",
  ],
  "POST /api/google/sync": ["Sync changes from Google Calendar", "Sincronizar cambios de Google Calendar"],
  "GET /api/health": ["Whether the server is up", "Si el servidor está en marcha"],
  "POST /api/import/lead": [
    "Import one lead (free-form record)",
    "Importar un prospecto (registro de forma libre)",
  ],
  "POST /api/import/leads": [
    "Import leads (array of free-form records)",
    "Importar prospectos (lista de registros de forma libre)",
  ],
  "GET /api/go-live": [
    "Go-live checklist: manual steps and the last test call",
    "Lista para salir en vivo: puntos a mano y la última llamada de prueba",
  ],
  "POST /api/go-live/steps/{step}": [
    "Mark a step of the go-live checklist as done",
    "Marcar como hecho un punto de la lista para salir en vivo",
  ],
  "DELETE /api/go-live/steps/{step}": [
    "Unmark a step of the go-live checklist",
    "Quitar la marca de un punto de la lista para salir en vivo",
  ],
  "POST /api/go-live/test-call": [
    "Start a test call to the user's phone, to check that the portal is reachable",
    "Iniciar una llamada de prueba al teléfono del usuario, para comprobar que se llega al portal",
  ],
  "GET /api/imports": ["Recent imports", "Importaciones recientes"],
  "GET /api/imports/{id}": ["One import", "Una importación"],
  "GET /api/imports/{id}/failed.csv": [
    "Rejected rows of an import (CSV)",
    "Filas rechazadas de una importación (CSV)",
  ],
  "PATCH /api/interface-settings": [
    "Save theme, language, single keys and the layout of lists",
    "Guardar tema, idioma, teclas sueltas y la vista de las listas",
  ],
  "POST /api/login/local": ["Sign in with email and password", "Iniciar sesión con correo y contraseña"],
  "POST /api/login-link/end": ["Unlink the login provider", "Desvincular el proveedor de acceso"],
  "DELETE /api/team/{id}/login-link": [
    "Unlink a user from the login provider",
    "Desvincular a un usuario del proveedor de acceso",
  ],
  "GET /api/notices": ["Desktop notifications", "Notificaciones de escritorio"],
  "GET /api/push": [
    "Devices with push notifications of the user",
    "Dispositivos del usuario con notificaciones push",
  ],
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
  "PATCH /api/notification-settings": [
    "Save the notification settings",
    "Guardar la configuración de notificaciones",
  ],
  "POST /api/password-link": [
    "Set a password with a one-time link",
    "Elegir una contraseña con un enlace de un solo uso",
  ],
  "POST /api/password-link/check": ["Check a one-time link", "Comprobar un enlace de un solo uso"],
  "PATCH /api/profile": [
    "Change name, email, picture or personal phone number",
    "Cambiar nombre, correo, foto o teléfono personal",
  ],
  "GET /api/ready": [
    "Whether the server is ready: database and jobs",
    "Si el servidor está listo: base de datos y trabajos",
  ],
  "GET /api/sales-reps": [
    "Consultants that leads can be assigned to",
    "Consultores a quienes se pueden asignar prospectos",
  ],
  "DELETE /api/sessions": [
    "End all other sessions of the user",
    "Terminar todas las demás sesiones del usuario",
  ],
  "GET /api/sign-ins": [
    "Sign-ins to the user's account, with rejected ones",
    "Inicios de sesión en la cuenta del usuario, también los rechazados",
  ],
  "GET /api/sessions": ["Active sessions of the user", "Sesiones activas del usuario"],
  "DELETE /api/sessions/{id}": ["End a session of the user", "Terminar una sesión del usuario"],
  "GET /api/settings": ["The user's settings", "La configuración del usuario"],
  "DELETE /api/team/{id}/second-factor": [
    "Reset a user's second factor",
    "Restablecer el segundo factor de un usuario",
  ],
  "POST /api/passkeys/options": ["Start adding a passkey", "Empezar a agregar una llave de acceso"],
  "POST /api/passkeys": ["Add a passkey", "Agregar una llave de acceso"],
  "PATCH /api/passkeys/{id}": ["Rename a passkey", "Cambiar el nombre de una llave de acceso"],
  "POST /api/passkeys/{id}/end": ["Remove a passkey", "Quitar una llave de acceso"],
  "POST /api/login/passkey/options": [
    "Start a sign-in with a passkey",
    "Iniciar el acceso con una llave de acceso",
  ],
  "POST /api/login/passkey": ["Sign in with a passkey", "Iniciar sesión con una llave de acceso"],
  "GET /api/second-factor": ["The user's second factor", "El segundo factor del usuario"],
  "POST /api/second-factor/verify": [
    "Complete a sign-in with a second-factor code",
    "Completar el inicio de sesión con un código del segundo factor",
  ],
  "POST /api/second-factor/totp": [
    "Start the setup of an authenticator app",
    "Iniciar la configuración de una aplicación de autenticación",
  ],
  "POST /api/second-factor/totp/confirm": [
    "Confirm the setup of an authenticator app",
    "Confirmar la configuración de una aplicación de autenticación",
  ],
  "POST /api/second-factor/totp/end": [
    "Remove the authenticator app",
    "Quitar la aplicación de autenticación",
  ],
  "POST /api/second-factor/recovery-codes": [
    "Create new recovery codes",
    "Crear códigos de recuperación nuevos",
  ],
  "GET /api/sign-in-options": ["Available sign-in methods", "Formas de iniciar sesión disponibles"],
  "GET /api/availability": [
    "The user's availability, working hours and stand-in",
    "Disponibilidad, horario de trabajo y suplente del usuario",
  ],
  "PATCH /api/availability": [
    "Set the user's availability, working hours or stand-in",
    "Cambiar la disponibilidad, el horario de trabajo o el suplente del usuario",
  ],
  "PATCH /api/team/{id}/availability": [
    "Update a user's availability, working hours and stand-in",
    "Cambiar la disponibilidad, el horario de trabajo y el suplente de un usuario",
  ],
  "GET /api/team": ["All accounts", "Todas las cuentas"],
  "POST /api/team": ["Create an account", "Crear una cuenta"],
  "PATCH /api/team/{id}": ["Update an account", "Cambiar una cuenta"],
  "POST /api/team/{id}/deactivate": ["Close an account", "Cerrar una cuenta"],
  "POST /api/team/{id}/password-link": [
    "Create a one-time password link",
    "Crear un enlace de un solo uso para elegir contraseña",
  ],
  "POST /api/team/{id}/reactivate": ["Reopen a closed account", "Reabrir una cuenta cerrada"],
  "DELETE /api/team/{id}/sessions": [
    "End all sessions of a user",
    "Terminar todas las sesiones de un usuario",
  ],
  "POST /api/team/{id}/transfer-leads": ["Reassign a user's leads", "Reasignar los prospectos de un usuario"],
  "GET /api/twilio/recording/{recordingSid}": ["Audio of a recording", "Audio de una grabación"],
  "GET /api/twilio/recordings": [
    "Recordings of the telephony provider",
    "Grabaciones del proveedor de telefonía",
  ],
  "GET /api/users/{id}/photo": ["A user's picture", "La foto de un usuario"],
  "GET /api/webhook-deliveries": [
    "Recent deliveries of a webhook source",
    "Entregas recientes de un origen de webhooks",
  ],
  "POST /api/webhook-deliveries/{id}/replay": ["Replay a delivery", "Procesar de nuevo una entrega"],
  "GET /api/webhook-sources": [
    "Webhook sources and the status of their keys",
    "Orígenes de webhooks y el estado de sus claves",
  ],
  "PATCH /api/webhook-sources/{source}": [
    "Set HubSpot's client secret or Salesforce's organization",
    "Guardar el secreto de cliente de HubSpot o la organización de Salesforce",
  ],
  "DELETE /api/webhook-sources/{source}/key": [
    "Remove the key of a webhook source",
    "Quitar la clave de un origen de webhooks",
  ],
  "POST /api/webhook-sources/{source}/key": [
    "Create or rotate the key of a webhook source",
    "Crear o cambiar la clave de un origen de webhooks",
  ],
  "POST /api/webhook/hubspot": ["Receive contacts from HubSpot", "Recibir prospectos de HubSpot"],
  "POST /api/webhook/lead": ["Receive a lead from any system", "Recibir un prospecto de cualquier sistema"],
  "POST /api/webhook/pipedrive": ["Receive persons from Pipedrive", "Recibir prospectos de Pipedrive"],
  "POST /api/webhook/salesforce": ["Receive leads from Salesforce", "Recibir prospectos de Salesforce"],
});
