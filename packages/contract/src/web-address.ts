/**
 * Parses a meeting URL that a user typed; without a scheme, https is assumed. Null if it is not a URL or not https: with http, others on
 * the network could read it or redirect participants. Shared by browser and server.
 */
export function readWebAddress(typed: string): string | null {
  const trimmed = typed.trim();
  const full = /^[a-z][a-z\d+.-]*:/i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (!URL.canParse(full)) return null;
  const { protocol, hostname, href } = new URL(full);
  return protocol === "https:" && hostname.includes(".") ? href : null;
}
