import { defineTexts } from "../../lib/i18n.ts";

export const passwordLinkTexts = defineTexts("passwordLink", {
  heading: ["Choose your password", "Elige tu contraseña"],
  subtitle: ["For the account of {name}, {email}.", "Para la cuenta de {name}, {email}."],
  checking: ["Your link is being checked.", "Estamos comprobando tu enlace."],
  newPassword: ["New Password", "Contraseña nueva"],
  confirmPassword: ["Confirm New Password", "Confirmar contraseña nueva"],
  rule: ["At least {count} characters.", "Al menos {count} caracteres."],
  passwordsDiffer: ["New passwords don't match.", "Las contraseñas nuevas no coinciden."],
  passwordTooShort: [
    "Password must be at least 6 characters long.",
    "La contraseña debe tener al menos 6 caracteres.",
  ],
  save: ["Save Password", "Guardar contraseña"],
  saving: ["Saving...", "Guardando..."],
  doneTitle: ["Password Changed", "Contraseña cambiada"],
  doneText: ["Your password has been changed successfully.", "Tu contraseña se cambió correctamente."],
  doneHint: [
    "Sign in with it now. You were signed out everywhere else.",
    "Inicia sesión con ella. Se cerraron tus sesiones en los demás navegadores.",
  ],
  toSignIn: ["Go to Sign In", "Ir a iniciar sesión"],
  badTitle: ["This link does not work", "Este enlace no funciona"],
  badLink: [
    "This link has been used, is too old or is not whole. Ask your administrator for a new one.",
    "Este enlace ya se usó, venció o está incompleto. Pide uno nuevo a tu administrador.",
  ],
  failedTitle: ["Your link could not be checked", "No se pudo comprobar tu enlace"],
  retry: ["Try Again", "Reintentar"],
});
