import { defineTexts } from "../../lib/i18n.ts";

/** Texts of the card with the connection to Google Calendar. */
export const googleTexts = defineTexts("google", {
  title: ["Google Calendar", "Google Calendar"],
  loading: ["Checking the connection…", "Comprobando la conexión…"],
  loadFailed: ["The connection could not be checked.", "No se pudo comprobar la conexión."],
  retry: ["Retry", "Reintentar"],
  off: [
    "Google Calendar is not set up here. Your meetings are kept in the portal and work all the same.",
    "Google Calendar no está configurado aquí. Tus reuniones se guardan en el portal y funcionan igual.",
  ],
  neverConnected: [
    "Connect your calendar: meetings go there with their guests and Meet link, and what changes there comes back.",
    "Conecta tu calendario: las reuniones van allí con sus invitados y su enlace de Meet, y lo que cambie allí vuelve aquí.",
  ],
  disconnected: [
    "Disconnected: Google no longer accepts the connection. Connect again; your changes wait until then.",
    "Desconectado: Google ya no acepta la conexión. Conéctate de nuevo; tus cambios esperan hasta entonces.",
  ],
  connectedAs: ["Connected as {email}", "Conectado como {email}"],
  connected: ["Connected", "Conectado"],
  notConnected: ["Not connected", "No conectado"],
  badgeOff: ["Off", "Apagado"],
  badgeDisconnected: ["Disconnected", "Desconectado"],
  lastSync: ["Last synced {when}", "Última sincronización: {when}"],
  firstSync: ["The first sync is under way.", "La primera sincronización está en curso."],
  pending_one: ["{count} change waits to go to Google", "{count} cambio espera para ir a Google"],
  pending_other: ["{count} changes wait to go to Google", "{count} cambios esperan para ir a Google"],
  connect: ["Connect Google Calendar", "Conectar Google Calendar"],
  connectAgain: ["Connect again", "Conectar de nuevo"],
  connecting: ["Connecting...", "Conectando..."],
  sync: ["Sync now", "Sincronizar ahora"],
  syncing: ["Syncing...", "Sincronizando..."],
  disconnect: ["Disconnect", "Desconectar"],
  disconnecting: ["Disconnecting...", "Desconectando..."],
  cancel: ["Cancel", "Cancelar"],
  disconnectTitle: ["Disconnect Google Calendar?", "¿Desconectar Google Calendar?"],
  disconnectQuestion: [
    "Your meetings stay here and in Google. They will no longer be kept in step.",
    "Tus reuniones se quedan aquí y en Google. Ya no se mantendrán al día entre sí.",
  ],
  connectedTitle: ["Google Calendar Connected", "Google Calendar conectado"],
  connectedText: [
    "Your meetings and your calendar are now kept in step.",
    "Tus reuniones y tu calendario ya se mantienen al día.",
  ],
  disconnectedTitle: ["Google Calendar Disconnected", "Google Calendar desconectado"],
  disconnectedText: ["Your meetings stay in the portal.", "Tus reuniones se quedan en el portal."],
  connectFailed: ["Connection Failed", "Error de conexión"],
  denied: [
    "Google was not allowed to let the portal use your calendar. Connect again and allow it.",
    "No se permitió al portal usar tu calendario de Google. Conéctate de nuevo y permítelo.",
  ],
  signedOut: [
    "You were signed out before Google answered. Please connect again.",
    "Tu sesión terminó antes de que Google respondiera. Conéctate de nuevo.",
  ],
  failed: [
    "Google could not be connected. Please try again.",
    "No se pudo conectar con Google. Vuelve a intentarlo.",
  ],
  disconnectFailed: ["Disconnection Failed", "Error al desconectar"],
  syncFailed: ["Sync Failed", "Error de sincronización"],
  tryAgain: ["Please try again.", "Vuelve a intentarlo."],
});
