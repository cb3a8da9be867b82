import { defineTexts } from "../lib/i18n.ts";

export const uiTexts = defineTexts("ui", {
  close: ["Close", "Cerrar"],
  loading: ["Loading…", "Cargando…"],
  notifications: ["Notifications ({hotkey})", "Notificaciones ({hotkey})"],
  notification: ["Notification", "Notificación"],
  previousMonth: ["Previous month", "Mes anterior"],
  today: ["Today, {date}", "Hoy, {date}"],
  nextMonth: ["Next month", "Mes siguiente"],
  table: ["Table: {name}", "Tabla: {name}"],
  removeFilter: ["Remove filter: {name}", "Quitar filtro: {name}"],
});
