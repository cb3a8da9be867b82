import { isIP } from "node:net";

const privateAddress =
  /^(127\.|10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|0\.|::1$|::$|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:|::ffff:)/i;
/** Names that no public DNS resolves (RFC 6761, RFC 6762, RFC 8375). */
const privateName = /(^|\.)(localhost|local|test|invalid|example|internal|home\.arpa|lan)$/i;

/** Whether an address is only reachable from this machine or its own network. */
export function isLocalAddress(address: string): boolean {
  const host = new URL(address).hostname.replace(/^\[|\]$/g, "");
  if (isIP(host)) return privateAddress.test(host);
  return privateName.test(host) || !host.includes(".");
}
