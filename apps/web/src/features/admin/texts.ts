import { defineTexts } from "../../lib/i18n.ts";

/** Spanish in both languages (specification §2, Admin panel). */
export const adminTexts = defineTexts("admin", {
  title: ["Panel de Administración", "Panel de administración"],
  greeting: ["Sesión de {name}", "Sesión de {name}"],
  comingTitle: ["El monitoreo llegará pronto", "El monitoreo llegará pronto"],
  comingText: [
    "Aquí verás la actividad de tu equipo en tiempo real.",
    "Aquí verás la actividad de tu equipo en tiempo real.",
  ],
  portal: ["Ir al portal", "Ir al portal"],
  logout: ["Salir", "Salir"],
  loggedOutTitle: ["Sesión Cerrada", "Sesión cerrada"],
  loggedOutText: ["Has cerrado sesión correctamente.", "Cerraste sesión correctamente."],
  logoutFailed: ["No se pudo cerrar la sesión.", "No se pudo cerrar la sesión."],
  errorTitle: ["Error", "Error"],
});
