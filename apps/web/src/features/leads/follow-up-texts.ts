import { defineTexts } from "../../lib/i18n.ts";

/** Texts of the follow-ups behind the tile; they come with their drawer. */
export const followUpTexts = defineTexts("follow-ups", {
  title: ["Fechas de Seguimiento", "Fechas de seguimiento"],
  hint: ["Whom to get back to, by date.", "A quién volver a contactar, por fecha."],
  groups: ["Follow-ups by date", "Seguimientos por fecha"],
  overdue: ["Overdue", "Atrasados"],
  today: ["Today", "Hoy"],
  week: ["Next 7 days", "7 días"],
  later: ["Later", "Luego"],
  loading: ["Loading the follow-ups…", "Cargando los seguimientos…"],
  failed: ["The follow-ups could not be loaded.", "No se pudieron cargar los seguimientos."],
  retry: ["Retry", "Reintentar"],
  empty_overdue: ["Nothing is overdue", "No hay nada atrasado"],
  empty_today: ["Nothing is due today", "No hay nada para hoy"],
  empty_week: ["Nothing is due in the next 7 days", "No hay nada en los próximos 7 días"],
  empty_later: ["Nothing is due later", "No hay nada más adelante"],
  emptyHint: [
    "Give a lead a follow-up date under Update Status.",
    "Ponle fecha de seguimiento a un prospecto en Actualizar estado.",
  ],
  more: ["The first {shown} of {total} are shown.", "Se muestran los primeros {shown} de {total}."],
  overdueSince: ["Overdue since {date}", "Atrasado desde el {date}"],
  dueToday: ["Due today", "Para hoy"],
  dueOn: ["Due {date}", "Para el {date}"],
  done: ["Done", "Hecho"],
  doneFor: ["Follow-up with {name} is done", "Seguimiento de {name} hecho"],
  snooze: ["Snooze", "Posponer"],
  snoozeFor: ["Snooze the follow-up with {name}", "Posponer el seguimiento de {name}"],
  tomorrow: ["Tomorrow", "Mañana"],
  nextWeek: ["Next week", "En una semana"],
});
