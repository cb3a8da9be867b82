import { currentLanguage, defineMessages, messagesOf } from "../../lib/i18n.ts";
import { crmReason } from "./messages.ts";

const faultMessages = defineMessages("crm-contact-faults", {
  noId: ["has no id", "no tiene id"],
  badId: ["has an id that is none", "su id no es válido"],
  firstName: ["has a first name that is no text", "su nombre no es un texto"],
  lastName: ["has a last name that is no text", "su apellido no es un texto"],
  name: ["has a name that is no text", "su nombre completo no es un texto"],
  email: ["has an email address that is no text", "su correo no es un texto"],
  longEmail: [
    "has an email address longer than {more} characters",
    "su correo tiene más de {more} caracteres",
  ],
  phone: ["has a phone number that is no text", "su teléfono no es un texto"],
  nobody: ["has no name, email address or phone number", "no tiene nombre, correo ni teléfono"],
  stored: ["could not be stored", "no se pudo guardar"],
  unread: ["could not be read: {more}", "no se pudo leer. {more}"],
  unreadable: ["cannot be read", "no se puede leer"],
  noName: ["a contact without a name", "un contacto sin nombre"],
  empty: ["a record that is empty", "un registro vacío"],
  noContact: ["a record that is no contact", "un registro que no es un contacto"],
});

/**
 * Endings of the server's messages about a contact, after the contact's name (adapters/gohighlevel/transform, features/crm/decide-deletions).
 */
const endings = [
  [/has no id$/, "noId"],
  [/has an id that is none$/, "badId"],
  [/has a first name that is no text$/, "firstName"],
  [/has a last name that is no text$/, "lastName"],
  [/has a name that is no text$/, "name"],
  [/has an email address that is no text$/, "email"],
  [/has an email address longer than (\d+) characters$/, "longEmail"],
  [/has a phone number that is no text$/, "phone"],
  [/has no name, email address or phone number$/, "nobody"],
  [/could not be stored$/, "stored"],
  [/could not be read: (.*)$/, "unread"],
  [/cannot be read$/, "unreadable"],
] as const;
const nameless = new Map([
  ["a contact without a name", "noName"],
  ["a record that is empty", "empty"],
  ["a record that is no contact", "noContact"],
] as const);

/** Why a contact was not ingested: the server's English message, in Spanish a translation if its ending is known. */
export function contactFault(said: string): string {
  if (currentLanguage() === "en") return said;
  const t = messagesOf(faultMessages);
  for (const [pattern, key] of endings) {
    const match = pattern.exec(said);
    if (!match) continue;
    const who = said.slice(0, match.index).trim();
    const known = (nameless as ReadonlyMap<string, "noName">).get(who);
    const reason = t(key as "unread", { more: crmReason(match[1] ?? "") });
    return [known ? t(known) : who, reason].filter(Boolean).join(": ");
  }
  return said;
}
