import type { ErrorCode } from "@portal/contract/errors";
import { ApiError } from "./api.ts";
import { currentLanguage, defineMessages, type MessagePair, messagesOf } from "./i18n.ts";

/** The server's errors by code. In English the server's own message is shown, so that column only documents the code. */
const byCode = {
  invalid: ["The data is not valid.", "Los datos no son válidos."],
  missing_credentials: [
    "Please enter both email and password",
    "Escribe tu correo electrónico y tu contraseña",
  ],
  current_password_wrong: [
    "Failed to change password. Please check your current password.",
    "No se pudo cambiar la contraseña. Revisa tu contraseña actual.",
  ],
  password_too_short: [
    "Password must be at least 6 characters long.",
    "La contraseña debe tener al menos 6 caracteres.",
  ],
  password_too_common: [
    "This password is too easy to guess.",
    "Esta contraseña es demasiado fácil de adivinar.",
  ],
  password_guessable: [
    "This password is made of your name, your email address or the portal's own words. Choose another.",
    "Esta contraseña se compone de tu nombre, tu correo electrónico o palabras del portal. Elige otra.",
  ],
  code_wrong: ["This code is not right, or was used already.", "Este código no es correcto o ya se usó."],
  second_factor_needed: ["Enter the code of your second factor.", "Escribe el código de tu segundo factor."],
  second_factor_setup_needed: [
    "Your role needs a second factor. Set one up first.",
    "Tu rol necesita un segundo factor. Configúralo primero.",
  ],
  passkey_refused: [
    "This passkey was not accepted. Try again, or sign in another way.",
    "Esta llave de acceso no se aceptó. Vuelve a intentarlo o inicia sesión de otra forma.",
  ],
  phone_invalid: ["This phone number is not valid.", "Este número de teléfono no es válido."],
  sound_invalid: [
    "This is no WAV or MP3 file of up to 60 seconds.",
    "Este archivo no es un WAV o MP3 de hasta 60 segundos.",
  ],
  message_refused: ["No message can be left now.", "Ahora no se puede dejar un mensaje."],
  image_invalid: ["This file is not an image.", "Este archivo no es una imagen."],
  lead_without_phone: ["El lead no tiene número de teléfono", "El prospecto no tiene número de teléfono"],
  rep_without_phone: [
    "Set a personal number in Settings to call.",
    "Agrega un número personal en Configuración para poder llamar.",
  ],
  unauthenticated: ["Please sign in.", "Inicia sesión para continuar."],
  invalid_credentials: ["Invalid email or password", "Correo electrónico o contraseña incorrectos"],
  admin_login_failed: [
    "Admin login failed",
    "No se pudo iniciar sesión como administrador: revisa tu correo electrónico y tu contraseña",
  ],
  signature_invalid: ["The signature is not valid.", "La firma no es válida."],
  forbidden: ["You may not do this.", "No tienes permiso para hacer esto."],
  not_your_lead: [
    "This lead is assigned to another consultant.",
    "Este prospecto está asignado a otro consultor.",
  ],
  origin_refused: [
    "This request came from another site.",
    "Esta solicitud llegó desde otro sitio y fue rechazada.",
  ],
  not_found: ["Not found.", "No se encontró lo que buscas."],
  message_unfilled: [
    "A field of the template is still empty. Write something in its place.",
    "Falta llenar un campo de la plantilla. Escribe algo en su lugar.",
  ],
  message_empty: ["Write a message first.", "Escribe un mensaje primero."],
  message_too_long: ["A text has at most 1600 characters.", "Un mensaje tiene como máximo 1600 caracteres."],
  no_recording: ["There is no recording.", "No hay ninguna grabación."],
  conflict: ["Somebody changed this meanwhile.", "Alguien cambió esto mientras tanto. Recarga la página."],
  slot_taken: ["This time is taken by now. Choose another.", "Esa hora ya se ocupó. Elige otra."],
  changed_meanwhile: [
    "This was changed meanwhile. Choose what holds.",
    "Esto cambió mientras tanto. Elige qué se queda.",
  ],
  email_taken: ["This email address is in use.", "Este correo electrónico ya está en uso."],
  already_converted: ["This lead is a client already.", "Este prospecto ya es cliente."],
  lead_exists: [
    "A lead with this phone number or email address exists already.",
    "Ya existe un prospecto con este teléfono o correo electrónico.",
  ],
  merge_refused: ["These leads cannot be merged now.", "Estos prospectos no se pueden unir ahora."],
  contact_refused: ["This lead may not be contacted now.", "No se puede contactar a este prospecto ahora."],
  rep_on_call: ["You are on another call.", "Ya estás en otra llamada."],
  lead_on_call: [
    "Another consultant is on the line with this lead.",
    "Otro consultor está hablando con este prospecto.",
  ],
  call_not_live: ["This call has ended.", "Esta llamada ya terminó."],
  call_live: ["This call has not ended yet.", "Esta llamada aún no termina."],
  no_leads: ["No hay leads disponibles para llamar", "No hay prospectos disponibles para llamar"],
  outcome_missing: ["Choose an outcome first.", "Primero elige un resultado."],
  number_changed: [
    "The lead's number has changed.",
    "El número del prospecto cambió. Revísalo antes de llamar.",
  ],
  too_large: ["This is too large.", "El contenido es demasiado grande."],
  unsupported_media_type: ["This type of content is not accepted.", "Este tipo de contenido no se acepta."],
  too_many_attempts: [
    "Too many attempts. Please wait.",
    "Demasiados intentos. Espera unos minutos y vuelve a intentarlo.",
  ],
  rate_limited: [
    "Too many requests. Please wait.",
    "Demasiadas solicitudes. Espera un momento y vuelve a intentarlo.",
  ],
  internal: ["Something went wrong.", "Algo salió mal. Vuelve a intentarlo."],
  provider_refused: ["The provider refused.", "El proveedor rechazó la solicitud."],
  provider_unavailable: [
    "The provider cannot be reached.",
    "No se puede conectar con el proveedor. Vuelve a intentarlo en un momento.",
  ],
  provider_off: ["This provider is not set up.", "Este proveedor no está configurado."],
  password_link_invalid: [
    "This link has been used, is too old or is not whole. Ask your administrator for a new one.",
    "Este enlace ya se usó, venció o está incompleto. Pide uno nuevo a tu administrador.",
  ],
  last_admin: [
    "This is the last administrator. Make somebody else an administrator first.",
    "Es el último administrador. Antes, nombra a otra persona como administradora.",
  ],
  passwords_off: [
    "Passwords are kept by your login provider. Change yours there.",
    "Tu proveedor de acceso administra las contraseñas. Cambia la tuya allí.",
  ],
  unavailable: ["The service is not available.", "El servicio no está disponible en este momento."],
} satisfies Record<ErrorCode, MessagePair>;

/** Whether a request failed because the browser has no network. */
function isWithoutNetwork(error: unknown): boolean {
  return error instanceof TypeError && !navigator.onLine;
}

/**
 * The text of an error for the user: in English the server's message, in Spanish the translation of its code. `fallback` is the recorded
 * text for errors without a message.
 */
export function errorText(error: unknown, fallback?: string): string {
  const t = messagesOf(errorMessages);
  if (isWithoutNetwork(error)) return t("noNetwork");
  if (!(error instanceof ApiError))
    return error instanceof TypeError ? t("unreachable") : (fallback ?? t("unreachable"));
  if (currentLanguage() === "es" && error.code !== undefined) {
    const seconds = error.body?.retryAfterSeconds;
    if (error.status === 429 && seconds !== undefined) {
      return t("waitMinutes", { count: Math.max(1, Math.ceil(seconds / 60)) });
    }
    if (error.code in errorMessages.pairs) return t(error.code as "invalid");
  }
  return error.text || (fallback ?? t("unreachable"));
}

/** The request id of a server failure, which identifies it in the log; null for refusals, which explain themselves. */
export function requestIdOf(error: unknown): string | null {
  return error instanceof ApiError && error.status >= 500 ? (error.body?.requestId ?? null) : null;
}

/** The server's message, or that there is no network; for other errors the recorded text. */
export function recordedText(error: unknown, recorded: string): string {
  return error instanceof ApiError || isWithoutNetwork(error) ? errorText(error, recorded) : recorded;
}

/**
 * The recorded text with the reason: the server's refusal, or no network. Server failures add no reason, as their text does not help the
 * user.
 */
export function recordedWithReason(error: unknown, recorded: string): string {
  const hasReason = error instanceof ApiError ? error.status < 500 : isWithoutNetwork(error);
  return hasReason ? `${recorded} ${errorText(error)}` : recorded;
}

export const errorMessages = defineMessages("errors", {
  ...byCode,
  waitMinutes_one: [
    "Too many attempts. Try again in {count} minute.",
    "Demasiados intentos. Vuelve a intentarlo en {count} minuto.",
  ],
  waitMinutes_other: [
    "Too many attempts. Try again in {count} minutes.",
    "Demasiados intentos. Vuelve a intentarlo en {count} minutos.",
  ],
  noNetwork: [
    "There is no network. Try again when it is back.",
    "No hay conexión a la red. Vuelve a intentarlo cuando se restablezca.",
  ],
  unreachable: [
    "The server cannot be reached. Check your connection and try again.",
    "No se puede conectar con el servidor. Revisa tu conexión y vuelve a intentarlo.",
  ],
});
