/**
 * The address that a browser may open out of what a person typed: what has no scheme is read as https. Null where it is none, or of
 * another scheme than http(s). Browser and server share it.
 */
export function readWebAddress(typed: string): string | null {
  const trimmed = typed.trim();
  const full = /^[a-z][a-z\d+.-]*:/i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (!URL.canParse(full)) return null;
  const { protocol, hostname, href } = new URL(full);
  return /^https?:$/.test(protocol) && hostname.includes(".") ? href : null;
}
