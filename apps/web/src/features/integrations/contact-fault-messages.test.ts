import { afterEach, expect, it } from "vitest";
import { setLanguage } from "../../lib/i18n.ts";
import { contactFault } from "./contact-fault-messages.ts";

afterEach(() => setLanguage("en"));

it.each([
  ["Ana Ruiz has a phone number that is no text", "Ana Ruiz: su teléfono no es un texto"],
  ["has an id that is none", "su id no es válido"],
  ["a contact without a name has no id", "un contacto sin nombre: no tiene id"],
  ["Ana has an email address longer than 254 characters", "Ana: su correo tiene más de 254 caracteres"],
  ["Ana could not be read: GoHighLevel failed (503).", "Ana: no se pudo leer. GHL falló (503)."],
  ["Ana is something new", "Ana is something new"],
])("explains in Spanish why a contact was not imported: %s", (said, spanish) => {
  expect(contactFault(said)).toBe(said);
  setLanguage("es");
  expect(contactFault(said)).toBe(spanish);
});
