import { currentLocale } from "./format.ts";
import { currentLanguage } from "./i18n.ts";

/** Cities of zones with a Spanish name of their own. */
const SPANISH_CITIES: Record<string, string> = {
  Asuncion: "Asunción",
  Bahia_Banderas: "Bahía de Banderas",
  Belize: "Belice",
  Berlin: "Berlín",
  Bogota: "Bogotá",
  Brussels: "Bruselas",
  Cancun: "Cancún",
  Ciudad_Juarez: "Ciudad Juárez",
  Curacao: "Curazao",
  Havana: "La Habana",
  Lisbon: "Lisboa",
  London: "Londres",
  Los_Angeles: "Los Ángeles",
  Martinique: "Martinica",
  Mazatlan: "Mazatlán",
  Merida: "Mérida",
  Mexico_City: "Ciudad de México",
  New_York: "Nueva York",
  Panama: "Panamá",
  Paris: "París",
  "Port-au-Prince": "Puerto Príncipe",
  Port_of_Spain: "Puerto España",
  Rome: "Roma",
  Sao_Paulo: "São Paulo",
};

/** 'New York' / 'Nueva York' of 'America/New_York'. */
export function formatZoneCity(timeZone: string): string {
  const city = timeZone.split("/").at(-1) ?? timeZone;
  return (currentLanguage() === "es" ? SPANISH_CITIES[city] : undefined) ?? city.replaceAll("_", " ");
}

/** 'Tue, Nov 24, 10:00 AM' / 'mar, 24 nov, 10:00 a. m.', in a zone. */
export const formatInZone = (at: string, timeZone: string): string =>
  new Intl.DateTimeFormat(currentLocale(), {
    timeZone,
    weekday: "short",
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
  }).format(new Date(at));

/** Day and time of an instant in a zone, as form fields hold them. */
export function formatFields(at: Date, timeZone: string): { day: string; time: string } {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  }).formatToParts(at);
  const of = (name: string) => parts.find(({ type }) => type === name)?.value ?? "";
  return { day: `${of("year")}-${of("month")}-${of("day")}`, time: `${of("hour")}:${of("minute")}` };
}
