import { currentLanguage } from "./i18n.ts";

/** Cities of zones that Spanish calls otherwise. */
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
