import { defineTexts } from "../lib/i18n.ts";

/** Texts that are needed before anybody is known. */
export const appTexts = defineTexts("app", {
  unreachableTitle: ["The server cannot be reached", "No se puede conectar con el servidor"],
  unreachableText: [
    "Check your connection. Nothing you saved is lost.",
    "Revisa tu conexión. No se ha perdido nada de lo que guardaste.",
  ],
  brokenTitle: ["The server does not answer as it should", "El servidor no responde como debería"],
  brokenText: [
    "Try again in a moment. Nothing you saved is lost.",
    "Vuelve a intentarlo en un momento. No se ha perdido nada de lo que guardaste.",
  ],
  retry: ["Try again", "Reintentar"],
  crashedTitle: ["Something went wrong", "Algo salió mal"],
  crashedText: [
    "This page stopped working. Reloading usually helps.",
    "Esta página dejó de funcionar. Por lo general, basta con recargarla.",
  ],
  reload: ["Reload", "Recargar"],
});
