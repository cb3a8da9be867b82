/**
 * The address of a meeting out of what a person typed: what has no scheme is read as https. Null where it is none, or of another
 * scheme, http too: whoever is on the way could read it or lead people elsewhere. Browser and server share it.
 */
export function readWebAddress(typed: string): string | null {
  const trimmed = typed.trim();
  const full = /^[a-z][a-z\d+.-]*:/i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (!URL.canParse(full)) return null;
  const { protocol, hostname, href } = new URL(full);
  return protocol === "https:" && hostname.includes(".") ? href : null;
}
