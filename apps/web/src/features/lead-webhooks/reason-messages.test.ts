import { afterEach, expect, it } from "vitest";
import { setLanguage } from "../../lib/i18n.ts";
import { reasonMessage } from "./reason-messages.ts";

afterEach(() => setLanguage("en"));

it("shows the server's reasons in Spanish, with the sender's details", () => {
  setLanguage("es");
  expect(
    [
      "Has neither an email nor a phone number.",
      "Invalid email address: a; b@; Notes is too long.",
      "Invalid phone number: 12 (and no email).",
      "Not about a person: deal.",
      "Nothing is taken from contact.deletion.",
      "The message comes from another organisation.",
      "What nobody knows.",
    ].map(reasonMessage),
  ).toEqual([
    { text: "No tiene correo ni teléfono.", lang: undefined },
    { text: "Correo no válido: a; b@; Notes es demasiado largo.", lang: undefined },
    { text: "Teléfono no válido: 12 (y sin correo).", lang: undefined },
    { text: "No trata de una persona: deal.", lang: undefined },
    { text: "De este evento no se toma nada: contact.deletion.", lang: undefined },
    { text: "El mensaje viene de otra organización.", lang: undefined },
    { text: "What nobody knows.", lang: "en" },
  ]);
});
