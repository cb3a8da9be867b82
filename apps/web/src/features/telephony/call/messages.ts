import type { ContactRefusal } from "@portal/contract/errors";
import { ApiError } from "../../../lib/api.ts";
import { formatSoon } from "../../../lib/format.ts";
import {
  currentLanguage,
  defineMessages,
  messagesOf,
  type Translate,
  useMessages,
} from "../../../lib/i18n.ts";

/** Toasts of calls; the dialog's messages are loaded with it. */
export const callMessages = defineMessages("calls", {
  checking: ["Answered, checking who", "Contestada, comprobando quién"],
  reportedTime: ["{time} (reported)", "{time} (informada)"],
  timer: ["Call timer", "Duración de la llamada"],
  noPhoneTitle: ["No Phone Number", "Sin número de teléfono"],
  noPhoneText: ["This lead does not have a phone number", "Este prospecto no tiene número de teléfono"],
  initiatedTitle: ["Call Initiated", "Llamada iniciada"],
  initiatedText: [
    "Conectando la llamada a tu número personal...",
    "Conectando la llamada a tu número personal...",
  ],
  initiatedOffice: [
    "Connecting the call to the office line {phone}...",
    "Conectando la llamada a la línea de la oficina {phone}...",
  ],
  busyTitle: ["Nobody new was called", "No se llamó a nadie más"],
  busyRequested: ["The call to {name} is being requested.", "Se está solicitando la llamada a {name}."],
  busyLive: ["The call to {name} is not over yet.", "La llamada a {name} aún no ha terminado."],
  busyEnded: [
    "The call to {name} is still open. Save its outcome or close it first.",
    "La llamada a {name} sigue abierta. Guarda su resultado o ciérrala primero.",
  ],
  failedTitle: ["Call Failed", "Falló la llamada"],
  failedText: ["No se pudo iniciar la llamada", "No se pudo iniciar la llamada"],
  statusTitle: ["Call Status", "Estado de la llamada"],
  statusText: [
    "Please end the call on your personal phone.",
    "Por favor, termina la llamada en tu teléfono personal.",
  ],
  statusOffice: [
    "Please end the call on the office line.",
    "Por favor, termina la llamada en la línea de la oficina.",
  ],
  endFailedText: ["The call could not be ended from here.", "No se pudo terminar la llamada desde aquí."],
  savedTitle: ["Call Log Saved", "Registro de llamada guardado"],
  savedText: ["Outcome saved.", "Resultado guardado."],
  saveFailedTitle: ["Save Failed", "Error al guardar"],
  saveFailedText: ["Failed to save call log", "No se pudo guardar el registro de la llamada"],
  plannedTitle: ["Lead updated", "Prospecto actualizado"],
  plannedText: ["Follow-up and status saved.", "Seguimiento y estado guardados."],
  planFailedText: ["The lead could not be changed.", "No se pudo cambiar el prospecto."],
  returnToCall: ["Return to call", "Volver a la llamada"],
});

/** Names of outcomes. */
export const outcomeMessages = defineMessages("call-outcomes", {
  answered: ["Answered", "Contestada"],
  voicemail: ["Voicemail", "Buzón de voz"],
  no_answer: ["No Answer", "Sin respuesta"],
  busy: ["Busy", "Ocupado"],
  wrong_number: ["Wrong Number", "Número equivocado"],
  disconnected: ["Disconnected", "Fuera de servicio"],
  completed: ["Completed", "Completada"],
  not_connected: ["Could not be connected", "No se pudo conectar"],
});

/** Why a contact is refused. */
export const refusalMessages = defineMessages("contact-refusals", {
  no_phone: ["This lead does not have a phone number", "Este prospecto no tiene número de teléfono"],
  country_not_allowed: ["Calls to this country are not allowed.", "No se permiten llamadas a este país."],
  premium_number: ["This is a premium number.", "Es un número de tarifa especial."],
  no_consent: [
    "No record that this lead agreed to be contacted.",
    "No consta que este prospecto aceptara ser contactado.",
  ],
  outside_hours: ["Outside this lead's hours.", "Fuera del horario de este prospecto."],
  attempt_cap: ["Contacted often enough for now.", "Ya se le contactó lo suficiente por ahora."],
  rep_cap: ["You have reached your limit. Wait a moment.", "Llegaste a tu límite. Espera un momento."],
  invalid_phone: ["This number cannot be called.", "No se puede llamar a este número."],
  opted_out: ["This lead asked not to be called.", "Este prospecto pidió que no lo llamaran."],
  deleted: ["This lead was deleted in GHL.", "Este prospecto se eliminó en GHL."],
  number_fault: [
    "An outcome says that this number is wrong or out of service.",
    "Un resultado dice que este número es equivocado o está fuera de servicio.",
  ],
  text_opted_out: ["This lead asked not to get texts.", "Este prospecto pidió no recibir mensajes."],
  text_attempt_cap: ["Texted often enough for now.", "Ya se le escribió lo suficiente por ahora."],
  text_country_not_allowed: [
    "Texts to this country are not allowed.",
    "No se permiten mensajes a este país.",
  ],
  text_invalid_phone: ["This number cannot get texts.", "Este número no puede recibir mensajes."],
  allowedAgain: ["Allowed again: {when}, your time.", "Se permite de nuevo: {when}, tu hora."],
  lead_on_call: [
    "This lead is on the line with us already.",
    "Este prospecto ya está en una llamada con nosotros.",
  ],
  rep_on_call: ["You are already on a call.", "Ya estás en una llamada."],
  recordConsent: ["Record consent…", "Registrar consentimiento…"],
  callAnyway: ["Call anyway…", "Llamar de todos modos…"],
  textAnyway: ["Text anyway…", "Escribir de todos modos…"],
});

export type Channel = "call" | "text";
type Messages = typeof refusalMessages.pairs;

/** The text of a refusal for a call or an SMS. */
function refusalReason(t: Translate<Messages>, refusal: ContactRefusal, channel: Channel): string {
  const key = `${channel}_${refusal}`;
  return t(key in refusalMessages.pairs ? (key as ContactRefusal) : refusal);
}

/** A reason with the time from which contact is allowed, in the browser's zone; only the reason if there is none. */
function withNextTime(t: Translate<Messages>, reason: string, allowedAt: string | null | undefined): string {
  return allowedAt ? `${reason} ${t("allowedAgain", { when: formatSoon(allowedAt) })}` : reason;
}

/**
 * Why a call or an SMS failed, and from when it is allowed: by its reason if there is one, else `general`. In English the server's text is
 * shown.
 */
export function contactFailureText(error: unknown, channel: Channel, general: string): string {
  const { reason, nextAllowedAt } = (error instanceof ApiError && error.body) || {};
  const t = messagesOf(refusalMessages);
  const message = reason && currentLanguage() === "es" ? refusalReason(t, reason, channel) : general;
  return withNextTime(t, message, nextAllowedAt);
}

/** Returns the text of a lead's refusal: `message(lead.textRefusal, lead.textAllowedAt)`. */
export function useRefusalMessage(channel: Channel) {
  const t = useMessages(refusalMessages);
  return (refusal: ContactRefusal, allowedAt: string | null) =>
    withNextTime(t, refusalReason(t, refusal, channel), allowedAt);
}
