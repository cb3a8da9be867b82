import { defineMessages } from "./i18n.ts";

/** Names of lead languages. */
export const leadLanguageMessages = defineMessages("lead-language", {
  language: ["Language", "Idioma"],
  en: ["English", "Inglés"],
  es: ["Spanish", "Español"],
  unknown: ["Not known", "No se sabe"],
  guess_en: ["English?", "¿Inglés?"],
  guess_es: ["Spanish?", "¿Español?"],
  guessed: ["guessed", "supuesto"],
});
