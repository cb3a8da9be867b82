import type { MessagePair } from "../../lib/i18n.ts";

/** Summaries of the endpoints for leads and their calls, SMS and meetings; see `endpointMessages`. */
export const leadEndpoints = {
  "GET /api/ai-recording/{id}": [
    "Audio of the AI agent's call with a lead",
    "Audio de la llamada del agente de IA con un prospecto",
  ],
  "GET /api/analytics/call-data": ["Number of calls per lead", "Número de llamadas por prospecto"],
  "GET /api/calendar/clash": [
    "Overlapping meeting of the consultant",
    "Reunión del consultor que coincide con esa hora",
  ],
  "GET /api/calendar/earlier": ["Past meetings of the consultant", "Reuniones pasadas del consultor"],
  "GET /api/calendar/events": ["The consultant's meetings", "Las reuniones del consultor"],
  "GET /api/calendar/free-slots": [
    "Free times of the consultant for a meeting",
    "Horas libres del consultor para una reunión",
  ],
  "POST /api/calendar/events": ["Schedule a meeting", "Programar una reunión"],
  "DELETE /api/calendar/events/{id}": ["Delete a meeting", "Eliminar una reunión"],
  "PATCH /api/calendar/events/{id}": ["Update a meeting", "Cambiar una reunión"],
  "GET /api/calendar/events/{id}/ics": [
    "A meeting as an iCalendar file",
    "Una reunión en un archivo iCalendar",
  ],
  "GET /api/lead-merges": ["Merges of the last seven days", "Prospectos unidos en los últimos siete días"],
  "POST /api/lead-merges/{id}/undo": ["Undo a merge of two leads", "Deshacer la unión de dos prospectos"],
  "POST /api/leads/{id}/merge": ["Merge two leads", "Unir dos prospectos"],
  "POST /api/leads/{id}/merge/preview": [
    "Preview a merge of two leads",
    "Vista previa de la unión de dos prospectos",
  ],
  "GET /api/leads/{id}/merges": ["Merges of a lead", "Los prospectos unidos a uno"],
  "GET /api/bulk-changes": ["Bulk changes of the last day", "Cambios en varios prospectos del último día"],
  "POST /api/bulk-changes": [
    "Change, assign or text several leads",
    "Cambiar o asignar varios prospectos, o enviarles un mensaje",
  ],
  "POST /api/bulk-changes/preview": [
    "Preview a bulk change",
    "Vista previa de un cambio en varios prospectos",
  ],
  "GET /api/bulk-changes/{id}": ["One bulk change", "Un cambio en varios prospectos"],
  "POST /api/bulk-changes/{id}/undo": ["Undo a bulk change", "Deshacer un cambio en varios prospectos"],
  "GET /api/call-logs": ["Call logs", "Registros de llamadas"],
  "POST /api/call-logs": ["Save the outcome of a call", "Guardar el resultado de una llamada"],
  "GET /api/call-logs/export": ["Export the filtered calls", "Exportar las llamadas filtradas"],
  "GET /api/call-logs/summary": ["Summary of the filtered calls", "Resumen de las llamadas filtradas"],
  "POST /api/call-logs/{id}/missed": [
    "Mark a missed call as done, or reopen it",
    "Marcar como atendida una llamada perdida o volver a abrirla",
  ],
  "GET /api/today": ["Today: what to do next, with reasons", "Hoy: lo que toca hacer ahora, con su motivo"],
  "GET /api/today/count": ["Number of items in Today", "Número de elementos de Hoy"],
  "PATCH /api/call-settings": ["Save the call settings", "Guardar la configuración de llamadas"],
  "GET /api/calls/live": ["The consultant's live call", "La llamada en curso del consultor"],
  "GET /api/calls/{id}": ["One call", "Una llamada"],
  "POST /api/calls/{id}/end": ["End a live call", "Terminar una llamada en curso"],
  "POST /api/inbound-calls/{id}/end": ["End an inbound call", "Terminar una llamada entrante"],
  "GET /api/clients/converted": ["Clients", "Clientes"],
  "GET /api/clients/export": ["Export the filtered clients", "Exportar los clientes filtrados"],
  "GET /api/clients/stats": ["Metrics of all clients", "Cifras de todos los clientes"],
  "GET /api/dashboard-stats": ["Metrics of the leads page", "Cifras de la página de prospectos"],
  "GET /api/dialer": [
    "The consultant's auto-dialer session",
    "La sesión del marcador automático del consultor",
  ],
  "POST /api/dialer/preview": ["Preview a dialer session", "Vista previa de una sesión del marcador"],
  "POST /api/dialer/start": ["Start a dialer session", "Iniciar una sesión del marcador"],
  "PATCH /api/dialer/{id}": [
    "Update the delay between calls and the spoken brief",
    "Cambiar la espera entre llamadas y lo que se dice antes de cada una",
  ],
  "POST /api/dialer/{id}/close": [
    "Close an ended dialer session",
    "Cerrar una sesión terminada del marcador",
  ],
  "POST /api/dialer/{id}/command": [
    "Send a command: pause, resume, stop, skip, call now, hold",
    "Enviar un comando: pausar, reanudar, detener, saltar, llamar ahora, esperar",
  ],
  "POST /api/dialer/{id}/next": [
    "Call a lead next who called during the session",
    "Llamar a continuación a un prospecto que llamó durante la sesión",
  ],
  "GET /api/dialer/{id}/summary": ["Summary of a dialer session", "Resumen de una sesión del marcador"],
  "POST /api/dialer/{id}/typing": [
    "Hold the countdown while the consultant types",
    "Detener la cuenta atrás mientras el consultor escribe",
  ],
  "POST /api/dialer/{id}/wrap-up": [
    "Save a call's outcome and continue",
    "Guardar el resultado de una llamada y continuar",
  ],
  "POST /api/extract-all-recordings": [
    "Find recordings of the AI agent's calls",
    "Buscar las grabaciones de llamadas del agente de IA",
  ],
  "GET /api/follow-ups": [
    "Follow-ups of the consultant's leads",
    "Seguimientos de los prospectos del consultor",
  ],
  "GET /api/follow-ups/timed": [
    "Follow-ups with a time that is due or coming up",
    "Seguimientos con hora, próximos o pendientes",
  ],
  "GET /api/leads": [
    "Leads assigned to the signed-in consultant",
    "Prospectos asignados al consultor que inició sesión",
  ],
  "GET /api/leads/all": ["All leads of the system", "Todos los prospectos del sistema"],
  "GET /api/leads/all/stats": ["Metrics of all leads", "Cifras de todos los prospectos"],
  "POST /api/leads": ["Add a lead by hand", "Agregar un prospecto a mano"],
  "POST /api/leads/assign": [
    "Assign several leads to a consultant",
    "Asignar varios prospectos a un consultor",
  ],
  "GET /api/leads/duplicates": ["Possible duplicates", "Posibles duplicados"],
  "GET /api/leads/export": ["Export leads", "Exportar prospectos"],
  "GET /api/leads/known": [
    "Existing leads by phone or email",
    "Prospectos existentes por teléfono o correo electrónico",
  ],
  "GET /api/leads/{id}": ["One lead", "Un prospecto"],
  "PATCH /api/leads/{id}": [
    "Update status, priority, notes, follow-up date or language of a lead",
    "Cambiar estado, prioridad, notas, fecha de seguimiento o idioma de un prospecto",
  ],
  "POST /api/leads/{id}/assign": ["Assign a lead to a consultant", "Asignar un prospecto a un consultor"],
  "DELETE /api/leads/{id}/consent": [
    "Withdraw a lead's consent",
    "Retirar el consentimiento de un prospecto",
  ],
  "POST /api/leads/{id}/consent": ["Record a lead's consent", "Registrar el consentimiento de un prospecto"],
  "POST /api/leads/{id}/convert": ["Convert a lead to a client", "Convertir un prospecto en cliente"],
  "POST /api/leads/{id}/notes": ["Add a note to a lead", "Agregar una nota a un prospecto"],
  "PATCH /api/leads/{id}/name": ["Rename a lead", "Cambiar el nombre de un prospecto"],
  "GET /api/leads/{id}/sms": ["SMS messages with a lead", "Mensajes con un prospecto"],
  "POST /api/leads/{id}/sms": ["Send an SMS to a lead", "Enviar un mensaje a un prospecto"],
  "POST /api/leads/{id}/sms/read": [
    "Mark a lead's SMS messages as seen",
    "Marcar como vistos los mensajes de un prospecto",
  ],
  "GET /api/leads/{id}/next-try": ["Next try of a lead", "Próximo intento con un prospecto"],
  "POST /api/leads/{id}/next-try": [
    "Retry a lead, or pause its retries",
    "Reintentar con un prospecto o dejarlo en pausa",
  ],
  "GET /api/leads/{id}/further-numbers": [
    "Further numbers of a merged lead, and whether they may be called",
    "Otros números de un prospecto unido y si se les puede llamar",
  ],
  "GET /api/leads/{id}/place": [
    "Time zone and state of a lead, which determine contact hours and limits",
    "Zona horaria y estado de un prospecto, que determinan el horario y los límites de contacto",
  ],
  "GET /api/leads/{id}/extra-fields": [
    "Additional fields of a lead from its source",
    "Campos adicionales de un prospecto según su origen",
  ],
  "GET /api/leads/{id}/timeline": ["Timeline of a lead", "Cronología de un prospecto"],
  "POST /api/leads/{id}/transfer": [
    "Transfer a lead to another consultant",
    "Transferir un prospecto a otro consultor",
  ],
  "POST /api/make-call": [
    "Call a lead; the consultant's phone rings first",
    "Llamar a un prospecto; primero suena el teléfono del consultor",
  ],
  "GET /api/phone-numbers": [
    "Phone numbers shared by all consultants",
    "Números de teléfono que comparten todos los consultores",
  ],
  "GET /api/reports/calls": ["Metrics of calls", "Cifras de llamadas"],
  "GET /api/reports/leads": ["Metrics of leads", "Cifras de prospectos"],
  "GET /api/reports/overview": [
    "Metrics of calls and leads, with the previous period",
    "Cifras de llamadas y prospectos, con el período anterior",
  ],
  "GET /api/reports/performance": ["Metrics by consultant", "Cifras por consultor"],
  "POST /api/sample-data": [
    "Create test leads (demo only)",
    "Crear prospectos de prueba (solo en la demostración)",
  ],
  "GET /api/search": [
    "Search leads, notes, SMS messages and calls",
    "Buscar prospectos, notas, mensajes y llamadas",
  ],
  "GET /api/scheduled-sms": ["Scheduled SMS messages", "Mensajes programados"],
  "GET /api/leads/{id}/scheduled-sms": [
    "Scheduled SMS messages to a lead",
    "Mensajes programados para un prospecto",
  ],
  "POST /api/leads/{id}/scheduled-sms": [
    "Schedule an SMS to a lead",
    "Programar un mensaje para un prospecto",
  ],
  "POST /api/scheduled-sms/{id}/cancel": ["Cancel a scheduled SMS", "Cancelar un mensaje programado"],
  "POST /api/scheduled-sms/{id}/send": ["Send a scheduled SMS now", "Enviar ya un mensaje programado"],
  "POST /api/calls/{id}/message": [
    "Leave a recorded message at a voicemail",
    "Dejar un mensaje grabado en un buzón de voz",
  ],
  "GET /api/voicemail-messages": [
    "Recorded voicemail messages of the user",
    "Mensajes grabados del usuario para buzones de voz",
  ],
  "POST /api/voicemail-messages": [
    "Upload a recorded voicemail message",
    "Subir un mensaje grabado para buzones de voz",
  ],
  "POST /api/voicemail-messages/record": [
    "Record a voicemail message by phone",
    "Grabar un mensaje por teléfono",
  ],
  "PATCH /api/voicemail-messages/{id}": [
    "Update a recorded voicemail message",
    "Cambiar un mensaje grabado para buzones de voz",
  ],
  "DELETE /api/voicemail-messages/{id}": [
    "Delete a recorded voicemail message",
    "Eliminar un mensaje grabado para buzones de voz",
  ],
  "GET /api/voicemail-messages/{id}/sound": [
    "Audio of a recorded voicemail message",
    "Audio de un mensaje grabado",
  ],
  "GET /api/voicemail-sound": [
    "Audio of a recorded voicemail message for the telephony provider",
    "Audio de un mensaje grabado para el proveedor de telefonía",
  ],
  "GET /api/sms/templates": ["SMS templates", "Plantillas de mensajes"],
  "POST /api/sms/templates": ["Create an SMS template", "Crear una plantilla de mensajes"],
  "PATCH /api/sms/templates/{id}": ["Update an SMS template", "Cambiar una plantilla de mensajes"],
  "DELETE /api/sms/templates/{id}": ["Delete an SMS template", "Eliminar una plantilla de mensajes"],
  "GET /api/leads/{id}/sms-templates": [
    "SMS templates filled in for a lead",
    "Plantillas de mensajes con los datos de un prospecto",
  ],
  "GET /api/saved-views": ["Saved views of a list", "Las vistas guardadas de una lista"],
  "POST /api/saved-views": ["Save a view of a list", "Guardar una vista de una lista"],
  "POST /api/saved-views/order": ["Put saved views in order", "Ordenar las vistas guardadas"],
  "PATCH /api/saved-views/{id}": [
    "Rename or change a saved view",
    "Cambiar el nombre o el contenido de una vista guardada",
  ],
  "DELETE /api/saved-views/{id}": ["Delete a saved view", "Eliminar una vista guardada"],
  "GET /api/inbox": [
    "Inbox: unread SMS messages and missed calls",
    "Bandeja de entrada: mensajes sin leer y llamadas perdidas",
  ],
  "POST /api/inbox/attach": [
    "Assign the SMS messages and calls of a number to a lead",
    "Asignar a un prospecto los mensajes y llamadas de un número",
  ],
  "GET /api/inbox/count": ["Number of inbox items", "Número de elementos de la bandeja de entrada"],
  "POST /api/inbox/{id}/done": [
    "Mark an inbox item as done",
    "Marcar como atendido un elemento de la bandeja de entrada",
  ],
  "POST /api/inbox/{id}/reopen": [
    "Reopen an inbox item",
    "Volver a abrir un elemento de la bandeja de entrada",
  ],
  "GET /api/sms/inbox": ["SMS messages from unknown numbers", "Mensajes de números desconocidos"],
  "POST /api/sms/inbox/{id}/attach": [
    "Assign an unmatched SMS to a lead",
    "Asignar a un prospecto un mensaje de un número desconocido",
  ],
  "POST /api/sms/inbox/{id}/dismiss": [
    "Dismiss an unmatched SMS",
    "Descartar un mensaje de un número desconocido",
  ],
  "GET /api/sms/texts": [
    "SMS messages behind the figures of the reports",
    "Mensajes detrás de las cifras de los informes",
  ],
  "GET /api/sms/unread": ["Numbers of unseen SMS messages", "Número de mensajes sin ver"],
} as const satisfies Record<string, MessagePair>;
