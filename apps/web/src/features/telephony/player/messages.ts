import { defineMessages } from "../../../lib/i18n.ts";

/** Messages of the recording player. */
export const playerMessages = defineMessages("player", {
  aiRecording: ["AI recording", "Grabación de IA"],
  callRecording: ["Call recording", "Grabación de la llamada"],
  voicemail: ["Voicemail", "Buzón de voz"],
  play: ["Play recording", "Reproducir grabación"],
  pause: ["Pause recording", "Pausar grabación"],
  retry: ["Try again", "Reintentar"],
  loading: ["Loading recording", "Cargando grabación"],
  position: ["Position in the recording", "Posición en la grabación"],
  positionValue: ["{position} of {length}", "{position} de {length}"],
  loadError: ["Error loading audio", "Error al cargar el audio"],
  timeout: ["Error al cargar la grabación", "Error al cargar la grabación"],
  playback: ["Error al reproducir", "Error al reproducir"],
  signed_out: [
    "Por favor inicia sesión para escuchar las grabaciones",
    "Por favor inicia sesión para escuchar las grabaciones",
  ],
  check_failed: ["Error de conexión", "Error de conexión"],
  aborted: ["Loading was aborted", "La carga se interrumpió"],
  network: [
    "Network error: check connection or authentication",
    "Error de red: revisa la conexión o la sesión",
  ],
  decode: ["The audio could not be decoded", "No se pudo decodificar el audio"],
  unsupported: ["Audio format not supported", "Formato de audio no compatible"],
  unknown: ["Unknown error", "Error desconocido"],
});

/** Messages of the sound controls, loaded with their code. */
export const soundMessages = defineMessages("player-sound", {
  volume: ["Volume", "Volumen"],
  volumeValue: ["{percent} %", "{percent} %"],
  speed: ["Speed", "Velocidad"],
  speedValue: ["{speed}×", "{speed}×"],
  silentHint: [
    "No sound? Check that your device is not on silent.",
    "¿No se oye? Revisa que tu dispositivo no esté en silencio.",
  ],
  download: ["Download", "Descargar"],
});
