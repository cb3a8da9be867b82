import { defineMessages } from "../lib/i18n.ts";

export const uiMessages = defineMessages("ui", {
  retry: ["Retry", "Reintentar"],
  close: ["Close", "Cerrar"],
  minimise: ["Minimize", "Minimizar"],
  loading: ["Loading…", "Cargando…"],
  notifications: ["Notifications ({hotkey})", "Notificaciones ({hotkey})"],
  previousMonth: ["Previous month", "Mes anterior"],
  today: ["Today, {date}", "Hoy, {date}"],
  nextMonth: ["Next month", "Mes siguiente"],
  table: ["Table: {name}", "Tabla: {name}"],
  copy: ["Copy", "Copiar"],
  copyOf: ["Copy: {label}", "Copiar: {label}"],
  copied: ["Copied", "Copiado"],
  copyFailed: ["Press Ctrl+C to copy.", "Pulsa Ctrl+C para copiar."],
  requestId: ["Request", "Solicitud"],
  selectColumn: ["Select", "Seleccionar"],
  listChanged: ["The list has changed", "La lista cambió"],
  more: ["Show more", "Mostrar más"],
  loadingMore: ["Loading more…", "Cargando más…"],
  moreFailed: ["More could not be loaded.", "No se pudo cargar más."],
  removeFilter: ["Remove filter: {name}", "Quitar filtro: {name}"],
});
