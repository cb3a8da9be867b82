import { defineTexts } from "../../lib/i18n.ts";

export const authTexts = defineTexts("auth", {
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
});
