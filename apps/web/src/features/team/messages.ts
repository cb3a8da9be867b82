import type { Availability } from "@portal/contract/entities/availability";
import { formatSoon } from "../../lib/format.ts";
import { defineMessages, type Translate } from "../../lib/i18n.ts";

export const teamMessages = defineMessages("team", {
  loading: ["Loading Team Access...", "Cargando acceso del equipo..."],
  title: ["Team Access", "Acceso del equipo"],
  subtitle: [
    "Who has an account, what they may do, and how many leads they have.",
    "Quién tiene cuenta, qué puede hacer y cuántos prospectos tiene.",
  ],
  adminsOnlyTitle: ["Only administrators see the team", "Solo los administradores ven el equipo"],
  adminsOnlyText: [
    "Accounts are opened, changed and closed by administrators. Ask one of them if you need something here.",
    "Los administradores abren, cambian y cierran las cuentas. Pídele a uno de ellos lo que necesites.",
  ],
  failedTitle: ["The team could not be loaded", "No se pudo cargar el equipo"],
  add: ["Add person", "Agregar persona"],
  search: ["Search the team", "Buscar en el equipo"],
  searchPlaceholder: ["Name, email or phone", "Nombre, correo o teléfono"],
  clear: ["Clear Filters", "Quitar filtros"],
  state: ["Accounts", "Cuentas"],
  state_all: ["All accounts", "Todas las cuentas"],
  state_open: ["Open", "Abiertas"],
  state_closed: ["Closed", "Cerradas"],
  shown_one: ["{n} account", "{n} cuenta"],
  shown_other: ["{n} accounts", "{n} cuentas"],
  none: ["Nobody matches these filters", "Nadie coincide con estos filtros"],
  noneText: ["Try another name, or clear the filters.", "Prueba con otro nombre o quita los filtros."],
  more_one: ["Show {count} more", "Mostrar {count} más"],
  more_other: ["Show {count} more", "Mostrar {count} más"],
  person: ["Person", "Persona"],
  role: ["Role", "Función"],
  role_consultant: ["Consultant", "Consultor"],
  role_admin: ["Administrator", "Administrador"],
  language: ["Language", "Idioma"],
  language_en: ["English", "Inglés"],
  language_es: ["Spanish", "Español"],
  phone: ["Phone", "Teléfono"],
  noPhone: ["None", "Ninguno"],
  leads: ["Leads", "Prospectos"],
  leadsHint: ["Assigned now, clients included", "Asignados ahora, con los clientes"],
  leadsOf: ["{n}, leads of {name}", "{n}, prospectos de {name}"],
  sessions: ["Signed in", "Sesiones"],
  sessions_none: ["Nowhere", "Ninguna"],
  sessionsIn_one: ["{count} browser", "{count} navegador"],
  sessionsIn_other: ["{count} browsers", "{count} navegadores"],
  lastActive: ["Last activity", "Última actividad"],
  never: ["Never", "Nunca"],
  actions: ["Actions", "Acciones"],
  you: ["You", "Tú"],
  closedOn: ["Closed {date}", "Cerrada el {date}"],
  noAccess: ["No sign-in yet", "Aún sin acceso"],
  linked: ["Login provider", "Proveedor de acceso"],
  menuOf: ["Actions for {name}", "Acciones de {name}"],
  away: ["Away", "Ausente"],
  awayUntil: ["Away until {time}", "Ausente hasta {time}"],
  outside_hours: ["Outside hours", "Fuera de horario"],
  outsideUntil: ["Outside hours until {time}", "Fuera de horario hasta {time}"],
  edit: ["Edit", "Editar"],
  availability: ["Availability", "Disponibilidad"],
  passwordLink: ["Password link", "Enlace de contraseña"],
  signOut: ["Sign out everywhere", "Cerrar todas sus sesiones"],
  unlink: ["Unlink login provider", "Desvincular proveedor de acceso"],
  resetFactor: ["Reset second factor", "Restablecer segundo factor"],
  transfer: ["Transfer leads", "Transferir prospectos"],
  close: ["Deactivate", "Desactivar"],
  reopen: ["Reactivate", "Reactivar"],
});

/** Why somebody is not available, with its end if it has one; '' if available. */
export function stateText(
  { state, until }: Pick<Availability, "state" | "until">,
  t: Translate<(typeof teamMessages)["pairs"]>,
): string {
  if (state === "available") return "";
  if (until === null) return t(state);
  return t(state === "away" ? "awayUntil" : "outsideUntil", { time: formatSoon(until) });
}
