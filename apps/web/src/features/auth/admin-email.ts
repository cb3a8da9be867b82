import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/**
 * Whether an e-mail is the administrator's, whose SHA-256 the server puts into the page (design §6, Security). It only chooses which
 * sign-in is called; the role comes from the server. Not `crypto.subtle`: plain http in a LAN has none.
 */
export function isAdminEmail(email: string): boolean {
  const hash = document.querySelector<HTMLMetaElement>('meta[name="admin-email-sha256"]')?.content;
  return hash === bytesToHex(sha256(utf8ToBytes(email.trim().toLowerCase())));
}
