import { defineTexts } from "../../lib/i18n.ts";

/** Texts of what one sets once a recording plays; they come with its code. */
export const soundTexts = defineTexts("player-sound", {
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
