import { defineTexts } from "../../lib/i18n.ts";

/** Texts of the reminder, which is on every page. */
export const reminderTexts = defineTexts("meeting-reminder", {
  title_one: ["Meeting in {count} minute", "Reunión en {count} minuto"],
  title_other: ["Meeting in {count} minutes", "Reunión en {count} minutos"],
  text: ["{title}, {time}", "{title}, {time}"],
});
