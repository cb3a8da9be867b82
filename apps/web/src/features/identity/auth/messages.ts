import { defineMessages } from "../../../lib/i18n.ts";

export const authMessages = defineMessages("auth", {
  documentTitle: ["Sign In", "Iniciar sesión"],
  heading: ["Sign in to Lead Desk", "Inicia sesión en Lead Desk"],
  subtitle: [
    "Your leads, your calls and every outcome in one place.",
    "Tus prospectos, tus llamadas y cada resultado en un solo lugar.",
  ],
  googleSignedOut: [
    "You were signed out before Google answered. Sign in, then connect Google Calendar again.",
    "Tu sesión terminó antes de que Google respondiera. Inicia sesión y conecta Google Calendar de nuevo.",
  ],
  unsent_one: [
    "{count} change made in this browser waits to be sent. It goes out when the person who made it signs in.",
    "{count} cambio hecho en este navegador está pendiente de envío. Se enviará cuando inicie sesión quien lo hizo.",
  ],
  unsent_other: [
    "{count} changes made in this browser wait to be sent. They go out when the person who made them signs in.",
    "{count} cambios hechos en este navegador están pendientes de envío. Se enviarán cuando inicie sesión quien los hizo.",
  ],
  email: ["Email", "Correo electrónico"],
  emailPlaceholder: ["you@company.com", "tu@empresa.com"],
  password: ["Password", "Contraseña"],
  showPassword: ["Show password", "Mostrar contraseña"],
  hidePassword: ["Hide password", "Ocultar contraseña"],
  signIn: ["Sign In", "Iniciar sesión"],
  signingIn: ["Signing In...", "Iniciando sesión..."],
  contactAdministrator: [
    "Contact your administrator if you need access or have forgotten your credentials.",
    "Contacta a tu administrador si necesitas acceso o si olvidaste tus credenciales.",
  ],
  errorTitle: ["Error", "Error"],
  missingFields: ["Please enter both email and password", "Escribe tu correo electrónico y tu contraseña"],
  loginFailed: ["Login Failed", "No se pudo iniciar sesión"],
  invalidCredentials: ["Invalid email or password", "Correo electrónico o contraseña incorrectos"],
  language: ["Language", "Idioma"],
  or: ["or", "o"],
  signInWith: ["Sign in with {name}", "Iniciar sesión con {name}"],
  provider_refused: [
    "{name} did not sign you in. Try again, or contact your administrator.",
    "{name} no te dio acceso. Vuelve a intentarlo o contacta a tu administrador.",
  ],
  answer_invalid: [
    "Signing in took too long or was begun in another tab. Try again.",
    "El acceso tardó demasiado o se inició en otra pestaña. Vuelve a intentarlo.",
  ],
  unknown_user: [
    "{name} knows you, but no account here is open for you. Contact your administrator.",
    "{name} te conoce, pero aquí no hay una cuenta abierta para ti. Contacta a tu administrador.",
  ],
  provider_unavailable: [
    "{name} does not answer. Try again in a moment.",
    "{name} no responde. Vuelve a intentarlo en un momento.",
  ],
  loginProvider: ["The login provider", "El proveedor de acceso"],
});
