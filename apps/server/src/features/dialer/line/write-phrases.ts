import type { LineBrief } from "@portal/contract/entities/line";
import type { ScriptLanguage } from "../../../ports/telephony.ts";
import type { BriefFacts } from "./repository.ts";

/** Texts spoken on an open line, to the consultant only. */
export const phrases = {
  en: {
    ask: "Press 1 to open your line.",
    nothing: "No key was pressed. Goodbye.",
    waiting: (count: number) => (count === 1 ? "One lead waits." : `${count} leads wait.`),
    explained:
      "After a call: 1 answered, 2 voicemail, 3 no answer, 4 busy, 5 wrong number, 6 out of service. Number sign: the suggested outcome. 7 call back, 8 who is next, 0 pause, star corrects the last outcome. During a call, star ends the lead's part.",
    paused: "Paused. Press 1 to go on.",
    ready: "Press 1 to call the next lead.",
    through: "That was the last lead. Goodbye.",
    stopped: "The session is over. Goodbye.",
    idle: "Nothing was done for ten minutes. The line ends. Goodbye.",
    timeLimit: "The line has been open for almost four hours and ends. Goodbye.",
    ended: "Goodbye.",
    pausedHere: "Paused.",
    wrong: "That key does nothing here.",
    noSuggestion: "Nothing is suggested. Press 1 to 6.",
    when: "Call back: 1 in an hour, 2 this afternoon, 3 tomorrow at this time.",
    whichOutcome: "What came of this call? Press 1 to 6.",
    noLast: "No outcome was given yet.",
    nobody: "Nobody follows.",
    correct: (name: string, outcome: string) =>
      `${name.slice(0, 60)}: ${outcome} Press 1 to 6 for the right outcome.`,
    outcomes: {
      answered: "Answered.",
      voicemail: "Voicemail.",
      no_answer: "No answer.",
      busy: "Busy.",
      wrong_number: "Wrong number.",
      disconnected: "Out of service.",
      not_connected: "Not connected.",
      completed: "Completed.",
    },
  },
  es: {
    ask: "Pulsa 1 para abrir tu línea.",
    nothing: "No se pulsó ninguna tecla. Adiós.",
    waiting: (count: number) => (count === 1 ? "Espera un prospecto." : `Esperan ${count} prospectos.`),
    explained:
      "Después de una llamada: 1 contestó, 2 buzón de voz, 3 no contestó, 4 ocupado, 5 número equivocado, 6 fuera de servicio. Almohadilla: el resultado sugerido. 7 volver a llamar, 8 quién sigue, 0 pausa, asterisco corrige el último resultado. Durante una llamada, asterisco termina la parte del prospecto.",
    paused: "En pausa. Pulsa 1 para seguir.",
    ready: "Pulsa 1 para llamar al siguiente prospecto.",
    through: "Ese fue el último prospecto. Adiós.",
    stopped: "La sesión ha terminado. Adiós.",
    idle: "No hubo actividad en diez minutos. La línea se cierra. Adiós.",
    timeLimit: "La línea lleva casi cuatro horas abierta y se cierra. Adiós.",
    ended: "Adiós.",
    pausedHere: "En pausa.",
    wrong: "Esa tecla no hace nada aquí.",
    noSuggestion: "No hay sugerencia. Pulsa del 1 al 6.",
    when: "Volver a llamar: 1 en una hora, 2 esta tarde, 3 mañana a esta hora.",
    whichOutcome: "¿Qué resultado tuvo esta llamada? Pulsa del 1 al 6.",
    noLast: "Todavía no se dio ningún resultado.",
    nobody: "No sigue nadie.",
    correct: (name: string, outcome: string) =>
      `${name.slice(0, 60)}: ${outcome} Pulsa del 1 al 6 para el resultado correcto.`,
    outcomes: {
      answered: "Contestó.",
      voicemail: "Buzón de voz.",
      no_answer: "No contestó.",
      busy: "Ocupado.",
      wrong_number: "Número equivocado.",
      disconnected: "Fuera de servicio.",
      not_connected: "Sin conexión.",
      completed: "Completada.",
    },
  },
};

const tries = {
  en: ["first try", "second try", "third try"],
  es: ["primer intento", "segundo intento", "tercer intento"],
};
const nthTry = {
  en: (count: number) => `try number ${count}`,
  es: (count: number) => `intento número ${count}`,
};
const askedFor = {
  en: (day: string, time: string | null) => `asked for ${day}${time ? ` at ${time}` : ""}`,
  es: (day: string, time: string | null) => `pidió ${day}${time ? ` a las ${time}` : ""}`,
};

const nameMax = 60;
const placeMax = 40;
const dayMs = 86_400_000;
/** Within this time a day is given by its weekday alone. */
const weekMs = 6 * dayMs;

function followUpOf(facts: BriefFacts, language: ScriptLanguage, now: Date): string | null {
  const { followUpDate, followUpTime, followUpZone } = facts;
  if (!followUpDate) return null;
  const near = Math.abs(followUpDate.getTime() - now.getTime()) < weekMs;
  const day = followUpDate.toLocaleDateString(language === "es" ? "es-US" : "en-US", {
    weekday: "long",
    ...(!near && { month: "long", day: "numeric" }),
    timeZone: followUpZone ?? "UTC",
  });
  return askedFor[language](language === "es" ? `para el ${day}` : day, followUpTime);
}

/** The brief of a lead: name, city and number of the try; `full` adds the follow-up. Empty if briefs are off. */
export function writeBrief(
  facts: BriefFacts,
  { brief, language, now }: { brief: LineBrief; language: ScriptLanguage; now: Date },
): string {
  if (brief === "off") return "";
  const parts = [
    facts.name.slice(0, nameMax),
    facts.city?.slice(0, placeMax),
    tries[language][facts.attempts] ?? nthTry[language](facts.attempts + 1),
    brief === "full" ? followUpOf(facts, language, now) : null,
  ];
  return `${parts.filter(Boolean).join(", ")}.`;
}
