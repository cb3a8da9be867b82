import { defineMessages } from "../../lib/i18n.ts";

export const connectionMessages = defineMessages("crm-connection", {
  title: ["Way to GHL", "Vía hacia GHL"],
  loading: ["Loading…", "Cargando…"],
  loadFailed: ["The way in use could not be read.", "No se pudo leer la vía en uso."],
  way_app: ["Installed app", "App instalada"],
  way_private: ["Private token", "Token privado"],
  way_none: ["None", "Ninguna"],
  connectAgain: ["Connect again", "Conectar de nuevo"],
  install: ["Install the app", "Instalar la app"],
  connect: ["Connect", "Conectar"],
  disconnect: ["Disconnect", "Desconectar"],
  cancel: ["Cancel", "Cancelar"],
  connectedWith: ["Connected with {name} since {when}.", "Conectada con {name} desde el {when}."],
  none: ["Nothing goes to GHL and nothing comes in.", "Nada va a GHL ni llega de allí."],
  privateServes: ["The private token serves meanwhile.", "Mientras tanto se usa el token privado."],
  waits: [
    "What waits is kept, and goes out after the next connection.",
    "Lo que espera se conserva y saldrá tras la próxima conexión.",
  ],
  refused: [
    "GHL refused the app's token: the answer to a renewal was lost, or the app was removed.",
    "GHL rechazó el token de la app: se perdió la respuesta a una renovación, o se quitó la app.",
  ],
  uninstalled: ["The app was removed in GHL.", "La app se quitó en GHL."],
  "key-changed": [
    "The stored token cannot be read with this ENCRYPTION_KEY.",
    "El token guardado no se puede leer con esta ENCRYPTION_KEY.",
  ],
  "app-refused": [
    "GHL does not take the app's id or secret, so its token is not renewed. Correct GHL_CLIENT_ID and GHL_CLIENT_SECRET.",
    "GHL no acepta el id o el secreto de la app, así que su token no se renueva. Corrige GHL_CLIENT_ID y GHL_CLIENT_SECRET.",
  ],
  unanswered: [
    "The app's token has ended, and GHL does not answer its renewal. It is tried again every half minute.",
    "El token de la app terminó y GHL no responde a su renovación. Se intenta de nuevo cada medio minuto.",
  ],
  waitsRenewal: [
    "What waits is kept, and goes out once it is renewed.",
    "Lo que espera se conserva y saldrá en cuanto se renueve.",
  ],
  installed: [
    "GHL told on {when} that the app was installed. Connect it to use it.",
    "GHL avisó el {when} de que se instaló la app. Conéctala para usarla.",
  ],
  noEvents: [
    "No events came in the last 7 days: a private token alone gets none. Changes are read every 5 minutes, deletions once a night.",
    "No llegaron eventos en los últimos 7 días: un token privado no los recibe. Los cambios se leen cada 5 minutos; las eliminaciones, cada noche.",
  ],
  missingScopes: ["The app was not granted: {scopes}.", "A la app no se le concedió: {scopes}."],
  tokenSince: ["Private token in use since {when}.", "Token privado en uso desde el {when}."],
  tokenNear: [
    "Rotate it by {when}: 90 days are advised.",
    "Renuévalo antes del {when}: se aconsejan 90 días.",
  ],
  tokenOver: [
    "It should have been rotated by {when}: 90 days are advised.",
    "Debió renovarse antes del {when}: se aconsejan 90 días.",
  ],
  setDate: ["Set the date", "Poner la fecha"],
  dateLabel: ["Day on which the private token was made", "Día en que se creó el token privado"],
  save: ["Save", "Guardar"],
  dateFailed: ["The date was not saved", "No se guardó la fecha"],
  disconnectTitle: ["Disconnect the app?", "¿Desconectar la app?"],
  disconnectQuestion: [
    "The portal forgets its tokens. In GHL the app stays installed until it is removed there.",
    "El portal olvida sus tokens. En GHL la app sigue instalada hasta que se quite allí.",
  ],
  confirmTitle: ["Connect with {name}?", "¿Conectar con {name}?"],
  confirmQuestion: [
    "This installation was begun in GHL. The portal will work with the contacts of {name} ({id}). Nothing is kept unless you connect.",
    "Esta instalación empezó en GHL. El portal trabajará con los contactos de {name} ({id}). No se guarda nada si no conectas.",
  ],
  failedTitle: ["GHL was not connected", "GHL no se conectó"],
  connectedTitle: ["GHL is connected", "GHL está conectado"],
  connectedText: ["The app is the way to GHL now.", "La app es ahora la vía hacia GHL."],
  denied: ["The installation was canceled.", "La instalación se canceló."],
  failed: [
    "GHL does not take this installation any more. Begin it again.",
    "GHL ya no acepta esta instalación. Empiézala de nuevo.",
  ],
  several: [
    "The app was installed for several locations. Install it for one: the one whose contacts are worked here.",
    "La app se instaló para varias ubicaciones. Instálala para una sola: la de los contactos que se trabajan aquí.",
  ],
  "other-location": [
    "This portal works for another location. Disconnect that one first.",
    "Este portal trabaja para otra ubicación. Desconecta primero esa.",
  ],
  "signed-out": ["Your session had ended. Begin again.", "Tu sesión había terminado. Empieza de nuevo."],
  "not-admin": ["Only administrators can connect GHL.", "Solo los administradores pueden conectar GHL."],
});
