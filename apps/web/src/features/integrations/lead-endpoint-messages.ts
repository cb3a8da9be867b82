import type { MessagePair } from "../../lib/i18n.ts";

/** Summaries of the endpoints for leads and their calls, SMS and meetings; see `endpointMessages`. */
export const leadEndpoints = {
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
  "GET /api/today": ["What to do next, with its reason", "Lo que toca hacer ahora, con su motivo"],
  "GET /api/today/count": ["How much there is to do next", "Cuánto hay por hacer ahora"],
  "PATCH /api/call-settings": ["Keep the call settings", "Guardar la configuración de llamadas"],
  "GET /api/calls/live": ["The consultant's live call", "La llamada en curso del consultor"],
  "GET /api/calls/{id}": ["One call", "Una llamada"],
  "POST /api/calls/{id}/end": ["End a live call", "Terminar una llamada en curso"],
  "POST /api/inbound-calls/{id}/end": ["End a call that came in", "Terminar una llamada entrante"],
  "GET /api/clients/converted": ["Leads that became clients", "Prospectos que pasaron a ser clientes"],
  "GET /api/clients/export": ["The filtered clients as a file", "Los clientes filtrados en un archivo"],
  "GET /api/clients/stats": ["Figures of all clients", "Cifras de todos los clientes"],
  "GET /api/dashboard-stats": ["Figures of the leads page", "Cifras de la página de prospectos"],
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
  "GET /api/leads/{id}/further-numbers": [
    "The further numbers of a merged lead, and whether they may be called",
    "Los otros números de un prospecto unido y si se les puede llamar",
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
  "POST /api/make-call": [
    "Call a lead: the consultant's phone first",
    "Llamar a un prospecto: primero al teléfono del consultor",
  ],
  "GET /api/phone-numbers": [
    "Numbers that all consultants share",
    "Números que comparten todos los consultores",
  ],
  "GET /api/reports/calls": ["Figures of calls", "Cifras de llamadas"],
  "GET /api/reports/leads": ["Figures of leads", "Cifras de prospectos"],
  "GET /api/reports/overview": [
    "Figures of calls and leads, with the period before",
    "Cifras de llamadas y prospectos, con el período anterior",
  ],
  "GET /api/reports/performance": ["Figures by consultant", "Cifras por consultor"],
  "POST /api/sample-data": [
    "Create test leads (demo only)",
    "Crear prospectos de prueba (solo en la demostración)",
  ],
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
} as const satisfies Record<string, MessagePair>;
