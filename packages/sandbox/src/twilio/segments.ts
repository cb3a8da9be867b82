/** GSM 03.38: one septet each; those of the extension table need two. */
const BASIC = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
const EXTENDED = new Set("\f^{}\\[~]|€");

/**
 * Number of segments of an SMS: one up to 160 GSM-7 septets or 70 UCS-2 units, several of 153 or 67. One character outside GSM-7 makes the
 * whole text UCS-2 (twilio.com/docs/glossary/what-is-gsm-7-character-encoding).
 */
export function segmentsOf(body: string): number {
  const characters = [...body];
  const isGsm7 = characters.every((character) => BASIC.has(character) || EXTENDED.has(character));
  if (!isGsm7) return parts(body.length, 70, 67);
  const septets = characters.reduce((sum, character) => sum + (EXTENDED.has(character) ? 2 : 1), 0);
  return parts(septets, 160, 153);
}

function parts(units: number, alone: number, joined: number): number {
  return units <= alone ? 1 : Math.ceil(units / joined);
}
