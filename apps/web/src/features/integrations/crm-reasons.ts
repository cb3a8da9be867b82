import { currentLanguage, defineTexts, textOf } from "../../lib/i18n.ts";

const reasonTexts = defineTexts("crm-reasons", {
  key: ["GoHighLevel refused the key ({code}).", "GHL rechazó la clave ({code})."],
  scope: ["GoHighLevel does not allow this to the key.", "GHL no permite esto a la clave."],
  busy: ["GoHighLevel allows no more requests for now.", "GHL no admite más solicitudes por ahora."],
  gone: ["GoHighLevel does not have this record.", "GHL no tiene este registro."],
  broken: ["GoHighLevel failed ({code}).", "GHL falló ({code})."],
  refused: ["GoHighLevel refused the request ({code}).", "GHL rechazó la solicitud ({code})."],
  silent: ["GoHighLevel did not answer.", "GHL no respondió."],
  unreadable: [
    "GoHighLevel sent an answer that cannot be read.",
    "GHL envió una respuesta que no se puede leer.",
  ],
  dropped: ["GoHighLevel did not keep the change.", "GHL no guardó el cambio."],
  deleted: ["The contact was deleted in GoHighLevel.", "El contacto fue eliminado en GHL."],
  stranger: ["This consultant is not a user of GoHighLevel.", "Este consultor no es usuario de GHL."],
  ours: ["Something went wrong on our side.", "Algo falló de nuestro lado."],
});

/** How the server begins what it says of a failure at the CRM (adapters/gohighlevel/faults). */
const beginnings = [
  [/^GoHighLevel refused the key \((\d+)\)/, "key"],
  [/^GoHighLevel does not allow this/, "scope"],
  [/^GoHighLevel (?:is busy|allows no more)/, "busy"],
  [/^GoHighLevel does not have this record/, "gone"],
  [/^GoHighLevel failed \((\d+)\)/, "broken"],
  [/^GoHighLevel refused the request \((\d+)\)/, "refused"],
  [/^GoHighLevel (?:did not answer|is not answering)/, "silent"],
  [/^GoHighLevel sent an answer/, "unreadable"],
  [/^GoHighLevel did not keep/, "dropped"],
  [/^The contact was deleted/, "deleted"],
  [/^This consultant is not a user/, "stranger"],
  [/^Something went wrong on our side/, "ours"],
] as const;

/** Why something failed at the CRM: in English the server's own words, in Spanish ours where the beginning is known. */
export function crmReason(said: string): string {
  if (currentLanguage() === "en") return said;
  const t = textOf(reasonTexts);
  for (const [pattern, key] of beginnings) {
    const match = pattern.exec(said);
    if (match) return t(key as "key", { code: match[1] ?? "" });
  }
  return said;
}
