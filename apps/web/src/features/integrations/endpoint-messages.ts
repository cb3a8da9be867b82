import { defineMessages } from "../../lib/i18n.ts";

/** What each endpoint does, by method and path: the summaries of the contract's routes, with their Spanish. */
export const endpointMessages = defineMessages("endpoints", {
  "GET /api/admin/audit": ["Who did what", "Quién hizo qué"],
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
  "GET /api/ai-recording/{id}": [
    "Sound of the AI agent's call with this lead",
    "Audio de la llamada del agente de IA con este prospecto",
  ],
  "GET /api/analytics/call-data": ["How often leads were called", "Cuántas veces se llamó a los prospectos"],
  "GET /api/calendar/clash": ["A meeting of one's own at this time", "Una reunión propia a esa hora"],
  "GET /api/calendar/earlier": [
    "The consultant's meetings that are over",
    "Las reuniones del consultor que ya pasaron",
  ],
  "GET /api/calendar/events": ["The consultant's meetings", "Las reuniones del consultor"],
  "GET /api/calendar/free-slots": [
    "Times at which one is free for a meeting",
    "Horas libres propias para una reunión",
  ],
  "POST /api/calendar/events": ["Schedule a meeting", "Programar una reunión"],
  "DELETE /api/calendar/events/{id}": ["Delete a meeting", "Eliminar una reunión"],
  "PATCH /api/calendar/events/{id}": ["Change a meeting", "Cambiar una reunión"],
  "GET /api/calendar/events/{id}/ics": [
    "A meeting as an iCalendar file",
    "Una reunión en un archivo iCalendar",
  ],
  "GET /api/lead-merges": ["Merges of the last seven days", "Prospectos unidos en los últimos siete días"],
  "POST /api/lead-merges/{id}/undo": ["Undo a merge of two leads", "Deshacer la unión de dos prospectos"],
  "POST /api/leads/{id}/merge": ["Merge two leads", "Unir dos prospectos"],
  "POST /api/leads/{id}/merge/preview": [
    "What merging two leads would do",
    "Qué haría la unión de dos prospectos",
  ],
  "GET /api/leads/{id}/merges": ["The merges of a lead", "Los prospectos unidos a uno"],
  "GET /api/bulk-changes": [
    "Changes made together in the last day",
    "Cambios hechos juntos en el último día",
  ],
  "POST /api/bulk-changes": [
    "Change, assign or text many leads",
    "Cambiar o asignar muchos prospectos, o enviarles un mensaje",
  ],
  "POST /api/bulk-changes/preview": [
    "Which leads an act on many would change, and which not",
    "Qué prospectos cambiaría una acción sobre muchos, y cuáles no",
  ],
  "GET /api/bulk-changes/{id}": ["One act on many leads", "Una acción sobre muchos prospectos"],
  "POST /api/bulk-changes/{id}/undo": [
    "Undo an act on many leads",
    "Deshacer una acción sobre muchos prospectos",
  ],
  "GET /api/call-logs": ["Logged calls", "Llamadas registradas"],
  "POST /api/call-logs": ["Save the outcome of a call", "Guardar el resultado de una llamada"],
  "GET /api/call-logs/export": ["The filtered calls as a file", "Las llamadas filtradas en un archivo"],
  "GET /api/call-logs/summary": ["Figures of the filtered calls", "Cifras de las llamadas filtradas"],
  "POST /api/call-logs/{id}/missed": [
    "Take a missed call off the list",
    "Quitar de la lista una llamada perdida",
  ],
  "GET /api/organisation-settings": ["Settings of the organization", "La configuración de la organización"],
  "PATCH /api/organisation-settings": [
    "Save the settings of the organization",
    "Guardar la configuración de la organización",
  ],
  "GET /api/today": ["What to do next, with its reason", "Lo que toca hacer ahora, con su motivo"],
  "GET /api/today/count": ["How much there is to do next", "Cuánto hay por hacer ahora"],
  "GET /api/retry-rules": ["When leads are called again", "Cuándo se vuelve a llamar a los prospectos"],
  "PATCH /api/retry-rules": [
    "Change when leads are called again",
    "Cambiar cuándo se vuelve a llamar a los prospectos",
  ],
  "POST /api/retry-rules/preview": [
    "What a change of the retry rules would mean",
    "Qué supondría un cambio de las reglas de reintento",
  ],
  "PATCH /api/call-settings": ["Keep the call settings", "Guardar la configuración de llamadas"],
  "GET /api/calls/live": ["The consultant's live call", "La llamada en curso del consultor"],
  "GET /api/calls/{id}": ["One call", "Una llamada"],
  "POST /api/calls/{id}/end": ["End a live call", "Terminar una llamada en curso"],
  "POST /api/inbound-calls/{id}/end": ["End a call that came in", "Terminar una llamada entrante"],
  "PATCH /api/change-password": ["Change the password", "Cambiar la contraseña"],
  "GET /api/clients/converted": ["Leads that became clients", "Prospectos que pasaron a ser clientes"],
  "GET /api/clients/export": ["The filtered clients as a file", "Los clientes filtrados en un archivo"],
  "GET /api/clients/stats": ["Figures of all clients", "Cifras de todos los clientes"],
  "GET /api/current-user": ["The signed-in user", "El usuario que inició sesión"],
  "GET /api/dashboard-stats": ["Figures of the leads page", "Cifras de la página de prospectos"],
  "GET /api/twilio/settings-plan": ["See what would be fixed at Twilio", "Ver qué se corregiría en Twilio"],
  "POST /api/twilio/settings-plan": ["Fix at Twilio what was shown", "Corregir en Twilio lo que se mostró"],
  "GET /api/diagnostics/{integration}": ["Look at one integration now", "Revisar una integración ahora"],
  "GET /api/dialer": [
    "The consultant's auto-dialer session",
    "La sesión del marcador automático del consultor",
  ],
  "POST /api/dialer/preview": [
    "Which leads a session would call, and which not",
    "A qué prospectos llamaría una sesión, y a cuáles no",
  ],
  "POST /api/dialer/start": ["Start calling through a list", "Empezar a llamar a una lista"],
  "PATCH /api/dialer/{id}": [
    "Change the delay between calls and the spoken brief",
    "Cambiar la espera entre llamadas y lo que se dice antes de cada una",
  ],
  "POST /api/dialer/{id}/close": ["Put an ended session away", "Retirar una sesión terminada"],
  "POST /api/dialer/{id}/command": [
    "Pause, resume, stop, skip, call now, hold",
    "Pausar, reanudar, detener, saltar, llamar ahora, esperar",
  ],
  "POST /api/dialer/{id}/next": [
    "Call a lead next who called meanwhile",
    "Llamar a continuación a un prospecto que llamó mientras tanto",
  ],
  "GET /api/dialer/{id}/summary": ["What a session came to", "Lo que se logró en una sesión"],
  "POST /api/dialer/{id}/typing": [
    "Hold the countdown while the consultant types",
    "Detener la cuenta atrás mientras el consultor escribe",
  ],
  "POST /api/dialer/{id}/wrap-up": [
    "Keep a call's outcome and go on",
    "Guardar el resultado de una llamada y seguir",
  ],
  "GET /api/docs/json": ["The API's description (OpenAPI)", "La descripción de la API (OpenAPI)"],
  "POST /api/extract-all-recordings": [
    "Find the AI agent's call recordings",
    "Buscar las grabaciones de llamadas del agente de IA",
  ],
  "GET /api/follow-ups": [
    "Follow-ups of the consultant's leads",
    "Seguimientos de los prospectos del consultor",
  ],
  "GET /api/follow-ups/timed": [
    "Follow-ups whose time comes or came",
    "Seguimientos cuya hora se acerca o llegó",
  ],
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
  "GET /api/leads": [
    "The leads assigned to the signed-in consultant",
    "Los prospectos asignados al consultor que inició sesión",
  ],
  "GET /api/leads/all": ["All leads of the system", "Todos los prospectos del sistema"],
  "GET /api/leads/all/stats": ["Figures of all leads", "Cifras de todos los prospectos"],
  "POST /api/leads": ["Add a lead by hand", "Agregar un prospecto a mano"],
  "POST /api/leads/assign": [
    "Assign several leads to a consultant",
    "Asignar varios prospectos a un consultor",
  ],
  "GET /api/leads/duplicates": ["Leads that may be one", "Prospectos que pueden ser uno solo"],
  "GET /api/leads/export": ["Leads as a file", "Los prospectos en un archivo"],
  "GET /api/leads/known": [
    "Whether somebody is a lead already, by phone or email",
    "Si alguien ya es un prospecto, por teléfono o correo electrónico",
  ],
  "GET /api/leads/{id}": ["One lead", "Un prospecto"],
  "PATCH /api/leads/{id}": [
    "Change status, priority, notes, follow-up date or language",
    "Cambiar estado, prioridad, notas o fecha de seguimiento",
  ],
  "POST /api/leads/{id}/assign": ["Assign a lead to a consultant", "Asignar un prospecto a un consultor"],
  "DELETE /api/leads/{id}/consent": [
    "Withdraw a lead's consent",
    "Retirar el consentimiento de un prospecto",
  ],
  "POST /api/leads/{id}/consent": [
    "Record that a lead agreed to be contacted",
    "Registrar que un prospecto aceptó que se le contacte",
  ],
  "POST /api/leads/{id}/convert": ["Convert a lead to a client", "Convertir un prospecto en cliente"],
  "POST /api/leads/{id}/notes": ["Add a note to a lead", "Agregar una nota a un prospecto"],
  "PATCH /api/leads/{id}/name": ["Rename a lead", "Cambiar el nombre de un prospecto"],
  "GET /api/leads/{id}/sms": ["Texts with a lead", "Mensajes con un prospecto"],
  "POST /api/leads/{id}/sms": ["Send a text to a lead", "Enviar un mensaje a un prospecto"],
  "POST /api/leads/{id}/sms/read": [
    "Mark a lead's texts as seen",
    "Marcar como vistos los mensajes de un prospecto",
  ],
  "GET /api/leads/{id}/next-try": ["When a lead is called again", "Cuándo se vuelve a llamar a un prospecto"],
  "POST /api/leads/{id}/next-try": [
    "Try a lead anew, or let it rest",
    "Intentar de nuevo con un prospecto o dejarlo en pausa",
  ],
  "GET /api/leads/{id}/place": [
    "Where a lead is, by the CRM and by its number: hours and limits of contacts follow from it",
    "Dónde está un prospecto, según el CRM y según su número: de ahí siguen horarios y límites de contacto",
  ],
  "GET /api/leads/{id}/extra-fields": [
    "What came with a lead and has no field here",
    "Lo que llegó con un prospecto y no tiene campo aquí",
  ],
  "GET /api/leads/{id}/timeline": ["What happened to a lead", "Lo que pasó con un prospecto"],
  "POST /api/leads/{id}/transfer": [
    "Transfer a lead to another consultant",
    "Transferir un prospecto a otro consultor",
  ],
  "POST /api/login/local": ["Sign in with email and password", "Iniciar sesión con correo y contraseña"],
  "POST /api/make-call": [
    "Call a lead: the consultant's phone first",
    "Llamar a un prospecto: primero al teléfono del consultor",
  ],
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
  "GET /api/phone-numbers": [
    "Numbers that all consultants share",
    "Números que comparten todos los consultores",
  ],
  "PATCH /api/profile": [
    "Change name, email, picture or personal phone number",
    "Cambiar nombre, correo, foto o teléfono personal",
  ],
  "GET /api/ready": ["Whether database and jobs work", "Si la base de datos y los trabajos funcionan"],
  "GET /api/reports/calls": ["Figures of calls", "Cifras de llamadas"],
  "GET /api/reports/leads": ["Figures of leads", "Cifras de prospectos"],
  "GET /api/reports/overview": [
    "Figures of calls and leads, with the period before",
    "Cifras de llamadas y prospectos, con el período anterior",
  ],
  "GET /api/reports/performance": ["Figures by consultant", "Cifras por consultor"],
  "GET /api/sales-reps": [
    "Consultants that leads can be assigned to",
    "Consultores a quienes se pueden asignar prospectos",
  ],
  "POST /api/sample-data": [
    "Create test leads (demo only)",
    "Crear prospectos de prueba (solo en la demostración)",
  ],
  "DELETE /api/sessions": ["End all sessions but this one", "Terminar todas las sesiones menos esta"],
  "GET /api/sessions": ["Browsers that are signed in", "Navegadores con la sesión iniciada"],
  "DELETE /api/sessions/{id}": ["End one of one's sessions", "Terminar una de las sesiones propias"],
  "GET /api/search": [
    "Search leads, notes, texts and calls",
    "Buscar prospectos, notas, mensajes y llamadas",
  ],
  "GET /api/scheduled-sms": ["Texts that go out later", "Los mensajes programados"],
  "GET /api/leads/{id}/scheduled-sms": [
    "Texts that go out to a lead later",
    "Los mensajes programados para un prospecto",
  ],
  "POST /api/leads/{id}/scheduled-sms": [
    "Send a text to a lead later",
    "Programar un mensaje para un prospecto",
  ],
  "POST /api/scheduled-sms/{id}/cancel": [
    "Take back a text that goes out later",
    "Cancelar un mensaje programado",
  ],
  "POST /api/scheduled-sms/{id}/send": [
    "Send a text now that was to go out later",
    "Enviar ya un mensaje programado",
  ],
  "POST /api/calls/{id}/message": [
    "Leave a recorded message at a voicemail",
    "Dejar un mensaje grabado en un buzón de voz",
  ],
  "GET /api/voicemail-messages": [
    "Recorded messages for voicemails",
    "Mensajes grabados para buzones de voz",
  ],
  "POST /api/voicemail-messages": [
    "Upload a recorded message for voicemails",
    "Subir un mensaje grabado para buzones de voz",
  ],
  "POST /api/voicemail-messages/record": ["Record a message by phone", "Grabar un mensaje por teléfono"],
  "PATCH /api/voicemail-messages/{id}": [
    "Change a recorded message for voicemails",
    "Cambiar un mensaje grabado para buzones de voz",
  ],
  "DELETE /api/voicemail-messages/{id}": [
    "Delete a recorded message for voicemails",
    "Eliminar un mensaje grabado para buzones de voz",
  ],
  "GET /api/voicemail-messages/{id}/sound": ["Listen to a recorded message", "Escuchar un mensaje grabado"],
  "GET /api/voicemail-sound": [
    "A recorded message for the telephony provider",
    "Un mensaje grabado para el proveedor de telefonía",
  ],
  "GET /api/sms/templates": ["Templates of texts", "Las plantillas de mensajes"],
  "POST /api/sms/templates": ["Save a template of texts", "Guardar una plantilla de mensajes"],
  "PATCH /api/sms/templates/{id}": ["Change a template of texts", "Cambiar una plantilla de mensajes"],
  "DELETE /api/sms/templates/{id}": ["Delete a template of texts", "Eliminar una plantilla de mensajes"],
  "GET /api/leads/{id}/sms-templates": [
    "Templates of texts filled in for a lead",
    "Las plantillas de mensajes con los datos de un prospecto",
  ],
  "GET /api/saved-views": ["Saved views of a list", "Las vistas guardadas de una lista"],
  "POST /api/saved-views": ["Save a view of a list", "Guardar una vista de una lista"],
  "POST /api/saved-views/order": ["Put saved views in order", "Ordenar las vistas guardadas"],
  "PATCH /api/saved-views/{id}": [
    "Rename or change a saved view",
    "Cambiar el nombre o el contenido de una vista guardada",
  ],
  "DELETE /api/saved-views/{id}": ["Delete a saved view", "Eliminar una vista guardada"],
  "GET /api/settings": ["The user's settings", "La configuración del usuario"],
  "GET /api/sign-in-options": ["Ways to sign in", "Formas de iniciar sesión"],
  "GET /api/inbox": ["Who waits for an answer", "Quién espera una respuesta"],
  "POST /api/inbox/attach": [
    "Give what came from a number to a lead",
    "Asignar a un prospecto lo que llegó de un número",
  ],
  "GET /api/inbox/count": ["How many wait for an answer", "Cuántos esperan una respuesta"],
  "POST /api/inbox/{id}/done": ["Take somebody off the inbox", "Quitar a alguien de la bandeja de entrada"],
  "POST /api/inbox/{id}/reopen": [
    "Put somebody back on the inbox",
    "Devolver a alguien a la bandeja de entrada",
  ],
  "GET /api/sms/inbox": ["Texts from unknown numbers", "Mensajes de números desconocidos"],
  "POST /api/sms/inbox/{id}/attach": [
    "Give a waiting text to a lead",
    "Asignar a un prospecto un mensaje en espera",
  ],
  "POST /api/sms/inbox/{id}/dismiss": [
    "Take a waiting text off the inbox",
    "Quitar de la bandeja un mensaje en espera",
  ],
  "GET /api/sms/texts": ["Texts that the reports count", "Mensajes que cuentan los informes"],
  "GET /api/sms/unread": ["Counts of unseen texts", "Cuántos mensajes faltan por ver"],
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
